// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// **Extension.** A `ManagedProperty` in generated code, which needs no initialization at run time.
///
/// Swift initializes a static constant at its first use, and checks at each use whether it is initialized. A constant
/// of this type is initialized when the program is compiled, since all of its parts are constants.
///
/// ```swift
/// extension Song {
///     private static let durationProperty = ManagedPropertyDeclaration<Double>("duration")
///     var seconds: Double { self[Song.durationProperty.property] }
/// }
/// ```
///
/// May be used on any thread. It can't be copied, because it stores the property's position.
///
/// ## Topics
///
/// ### Declaring and reaching a property
///
/// - ``init(_:file:line:)``
/// - ``property``
public struct ManagedPropertyDeclaration<Value>: ~Copyable, @unchecked Sendable {
    /// The address of the property's storage, 0 before the first use.
    @usableFromInline let storageAddress: Atomic<UInt>
    @usableFromInline let name: StaticString
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt

    /// Declares a property.
    ///
    /// - Parameters:
    ///   - name: the property's name in the model.
    ///   - file: the file of the declaration: declarations of equal names don't share a storage.
    ///   - line: the line of the declaration.
    @inlinable
    @inline(__always)
    public init(_ name: StaticString, file: StaticString = #fileID, line: UInt = #line) {
        storageAddress = Atomic(0)
        self.name = name
        self.file = file
        self.line = line
    }

    /// The property.
    @inlinable
    public var property: ManagedProperty<Value> {
        @inline(__always)
        get {
            guard
                let storage = UnsafeMutablePointer<ManagedPropertyStorage>(
                    bitPattern: storageAddress.load(ordering: .acquiring))
            else {
                return makeProperty()
            }
            return ManagedProperty(storage: storage)
        }
    }

    /// Makes the property at its first use. Threads that do this at the same time store the same address.
    @usableFromInline
    @inline(never)
    func makeProperty() -> ManagedProperty<Value> {
        let property = ManagedProperty<Value>("\(name)", file: file, line: line)
        storageAddress.store(UInt(bitPattern: property.storage), ordering: .releasing)
        return property
    }
}
