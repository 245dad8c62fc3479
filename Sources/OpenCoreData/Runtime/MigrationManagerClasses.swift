internal import CSwiftRuntime
import CoreDataModel

/// Makes migration managers of classes that are known at run time only.
///
/// Swift calls an initializer on a metatype only if the initializer is `required`. Then a subclass with initializers of
/// its own would have to implement it, which Core Data doesn't demand. So the initializer is called by its entry in the
/// metadata of the class: each class has one, its own, an inherited one, or one that stops the program. The entry is
/// found by comparing classes of this module. Tested by `MigrationManagerClassesTests`.
enum MigrationManagerClasses {
    /// A manager of a class.
    ///
    /// - Returns: nil on a toolchain or a system that lays classes out otherwise.
    static func make(
        _ type: NSMigrationManager.Type, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> NSMigrationManager? {
        if type == NSMigrationManager.self {
            return NSMigrationManager(sourceModel: source, destinationModel: destination)
        }
        #if os(Linux)
            guard let entry, let function = UnsafeRawPointer(bitPattern: ClassMetadata.word(entry, of: type)) else {
                return nil
            }
            let object = opencoredata_initialize(
                function, Unmanaged.passRetained(source).toOpaque(), Unmanaged.passRetained(destination).toOpaque(),
                unsafeBitCast(type, to: UnsafeRawPointer.self))
            return Unmanaged<NSMigrationManager>.fromOpaque(object).takeRetainedValue()
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// The one word among the methods of `NSMigrationManager`, behind those of `NSObject`, that differs between all
        /// classes: each has an initializer of its own.
        static let entry: Int? = {
            let probes: [NSMigrationManager.Type] = [NSMigrationManager.self, Probe.self, OtherProbe.self]
            let range = ClassMetadata.wordCount(of: NSObject.self)..<ClassMetadata.wordCount(of: probes[0])
            guard range.lowerBound >= ClassMetadata.firstMethodWord, range.upperBound < 4096,
                probes.allSatisfy({ ClassMetadata.wordCount(of: $0) >= range.upperBound })
            else { return nil }
            let found = range.filter { index in
                Set(probes.map { ClassMetadata.word(index, of: $0) }).count == probes.count
            }
            return found.count == 1 ? found[0] : nil
        }()
    #endif
}

private class Probe: NSMigrationManager, @unchecked Sendable { private var first = 1 }
private class OtherProbe: NSMigrationManager, @unchecked Sendable { private var second = "" }
