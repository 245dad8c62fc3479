// SPDX-License-Identifier: Apache-2.0

import OpenCoreData
import Synchronization

/// **Extension.** A property of a model class, by name: what accessors made by `@Model` use.
///
/// It remembers the position of the value in objects of the entity, so that reading and writing need no look-up by
/// name. May be used on any thread.
public struct PersistentProperty: Sendable {
    /// The address of what is remembered.
    @usableFromInline let address: UInt

    @inlinable
    @inline(__always)
    init(address: UInt) { self.address = address }

    /// Names a property of a generic class, which can't have stored type properties.
    ///
    /// - Parameters:
    ///   - name: the name of the property in the source.
    ///   - type: the class. All properties of one name in it share what they remember.
    public init(_ name: String, in type: Any.Type) { address = PropertyHandle(sharing: name, type: type).address }

    /// The name of the property.
    public var name: String { handle.name }

    /// The property itself: accessors find it as they find that of a ``PersistentPropertyDeclaration``.
    public var property: PersistentProperty { self }

    /// The handle with the address. A cast costs nothing; an initializer of another module would be called.
    @inline(__always)
    var handle: PropertyHandle { unsafeBitCast(address, to: PropertyHandle.self) }
}

/// **Extension.** A property of a model class, as `@Model` declares it: one constant for each property.
///
/// Swift initializes a static constant at its first use, and asks at each use whether it has. A constant of this type
/// is initialized when the program is compiled, since all of its parts are constants. May be used on any thread.
public struct PersistentPropertyDeclaration: ~Copyable, @unchecked Sendable {
    // Sendable: the address is atomic, the name a constant.
    /// The address of what is remembered, 0 before the first use.
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
