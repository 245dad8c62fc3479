// SPDX-License-Identifier: Apache-2.0

import OpenCoreData
import Synchronization

/// **Extension.** A property of a model class, by name. The accessors that `@Model` makes use it.
///
/// It caches the position of the value in objects of the entity, so that reading and writing need no look-up by name.
/// May be used on any thread.
public struct PersistentProperty: Sendable {
    /// The address of the handle with the cached positions.
    @usableFromInline let address: UInt

    @inlinable
    @inline(__always)
    init(address: UInt) { self.address = address }

    /// Names a property of a generic class, which can't have stored type properties.
    ///
    /// - Parameters:
    ///   - name: the name of the property in the source.
    ///   - type: the class. All properties of this name in the class share the cached positions.
    public init(_ name: String, in type: Any.Type) { address = PropertyHandle(sharing: name, type: type).address }

    /// The name of the property.
    public var name: String { handle.name }

    /// The property itself. Accessors read `property` here as they read it of a ``PersistentPropertyDeclaration``.
    public var property: PersistentProperty { self }

    /// The handle with the address. A cast costs nothing; an initializer of another module would be called.
    @inline(__always)
    var handle: PropertyHandle { unsafeBitCast(address, to: PropertyHandle.self) }
}

/// **Extension.** A property of a model class, as `@Model` declares it: one constant for each property.
///
/// Swift initializes most static constants at their first use, and checks at each use whether they are initialized. A
/// constant of this type is initialized by the compiler, since all of its parts are constants. May be used on any
/// thread.
public struct PersistentPropertyDeclaration: ~Copyable, @unchecked Sendable {
    // Sendable: the address is atomic, the name a constant.
    /// The address of the handle with the cached positions, 0 before the first use.
    @usableFromInline let address: Atomic<UInt>
    @usableFromInline let name: StaticString

    /// Declares a property.
    ///
    /// - Parameter name: the name of the property in the source.
    @inlinable
    @inline(__always)
    public init(_ name: StaticString) {
        address = Atomic(0)
        self.name = name
    }

    /// The property.
    @inlinable
    public var property: PersistentProperty {
        @inline(__always)
        get {
            let address = address.load(ordering: .acquiring)
            return address != 0 ? PersistentProperty(address: address) : makeProperty()
        }
    }

    /// Makes the property at its first use. Threads that do this at the same time get the same one.
    @usableFromInline
    @inline(never)
    func makeProperty() -> PersistentProperty {
        let new = PropertyHandle("\(name)").address
        let (exchanged, known) = address.compareExchange(expected: 0, desired: new, ordering: .acquiringAndReleasing)
        return PersistentProperty(address: exchanged ? new : known)
    }
}
