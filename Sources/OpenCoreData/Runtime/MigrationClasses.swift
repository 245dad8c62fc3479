// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime
import CoreDataModel

/// Makes migration managers and policies of classes that are known at run time only.
///
/// Swift calls an initializer on a metatype only if the initializer is `required`. Then a subclass that declares
/// initializers would have to implement it, and an override would need the keyword `required`, which Core Data doesn't
/// demand. So the initializer is called by its entry in the metadata of the class: each class has one, its own, an
/// inherited one, or one that stops the program. The entry is found by comparing classes of this module. Tested by
/// `MigrationClassesTests`.
package enum MigrationClasses {
    /// A manager of a class, made by `init(sourceModel:destinationModel:)`.
    ///
    /// - Returns: nil on a toolchain or a system that lays classes out otherwise.
    static func manager(
        _ type: NSMigrationManager.Type, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> NSMigrationManager? {
        if type == NSMigrationManager.self {
            return NSMigrationManager(sourceModel: source, destinationModel: destination)
        }
        #if os(Linux)
            guard let function = function(managerEntry, of: type) else { return nil }
            let object = opencoredata_initialize_with_objects(
                function, Unmanaged.passRetained(source).toOpaque(), Unmanaged.passRetained(destination).toOpaque(),
                unsafeBitCast(type, to: UnsafeRawPointer.self))
            return Unmanaged<NSMigrationManager>.fromOpaque(object).takeRetainedValue()
        #else
            return nil
        #endif
    }

    /// A policy of a class, made by `init()`.
    ///
    /// - Returns: nil on a toolchain or a system that lays classes out otherwise.
    static func policy(_ type: NSEntityMigrationPolicy.Type) -> NSEntityMigrationPolicy? {
        if type == NSEntityMigrationPolicy.self { return NSEntityMigrationPolicy() }
        #if os(Linux)
            guard let function = function(policyEntry, of: type) else { return nil }
            let object = opencoredata_initialize(function, unsafeBitCast(type, to: UnsafeRawPointer.self))
            return Unmanaged<NSEntityMigrationPolicy>.fromOpaque(object).takeRetainedValue()
        #else
            return nil
        #endif
    }

    /// An object of a class, made by `init()`.
    ///
    /// - Returns: nil on a toolchain or a system that lays classes out otherwise.
    package static func object<Object: NSObject>(of type: Object.Type) -> Object? {
        #if os(Linux)
            guard let function = function(policyEntry, of: type) else { return nil }
            let object = opencoredata_initialize(function, unsafeBitCast(type, to: UnsafeRawPointer.self))
            return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// The initializer is among the methods of `NSMigrationManager`, behind the methods of `NSObject`.
        static let managerEntry: Int? = initializerEntry(
            [NSMigrationManager.self, ManagerProbe.self, OtherManagerProbe.self],
            in: ClassMetadata.wordCount(of: NSObject.self)..<ClassMetadata.wordCount(of: NSMigrationManager.self))
        /// The initializer is among the methods of `NSObject`.
        static let policyEntry: Int? = initializerEntry(
            [NSEntityMigrationPolicy.self, PolicyProbe.self, OtherPolicyProbe.self],
            in: ClassMetadata.firstMethodWord..<ClassMetadata.wordCount(of: NSObject.self))

        /// The one word in a range of the metadata that differs between all classes: each class declares the
        /// initializer, and overrides no method.
        private static func initializerEntry(_ types: [AnyClass], in range: Range<Int>) -> Int? {
            guard range.lowerBound >= ClassMetadata.firstMethodWord, range.upperBound < 4096,
                types.allSatisfy({ ClassMetadata.wordCount(of: $0) >= range.upperBound })
            else { return nil }
            let found = range.filter { index in
                Set(types.map { ClassMetadata.word(index, of: $0) }).count == types.count
            }
            return found.count == 1 ? found[0] : nil
        }

        private static func function(_ entry: Int?, of type: AnyClass) -> UnsafeRawPointer? {
            entry.flatMap { UnsafeRawPointer(bitPattern: ClassMetadata.word($0, of: type)) }
        }
    #endif
}

private class ManagerProbe: NSMigrationManager, @unchecked Sendable { private var first = 1 }
private class OtherManagerProbe: NSMigrationManager, @unchecked Sendable { private var second = "" }
private class PolicyProbe: NSEntityMigrationPolicy { private var first = 1 }
private class OtherPolicyProbe: NSEntityMigrationPolicy { private var second = "" }
