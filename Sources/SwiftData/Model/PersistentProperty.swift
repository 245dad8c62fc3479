import OpenCoreData

/// **Extension.** A property of a model class, by name: what accessors made by `@Model` use.
///
/// `@Model` declares one constant for each property. It remembers the position of the value in objects of the entity,
/// so that reading and writing need no look-up by name. May be used on any thread.
public struct PersistentProperty: Sendable {
    let handle: PropertyHandle

    /// Names a property.
    ///
    /// - Parameter name: the name of the property in the source.
    public init(_ name: String) { handle = PropertyHandle(name) }

    /// The name of the property.
    public var name: String { handle.name }
}
