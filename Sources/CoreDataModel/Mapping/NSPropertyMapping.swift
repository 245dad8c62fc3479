/// How a property of the destination entity gets its value in a migration.
///
/// A mapping belongs to one thread until it is given to a migration, and isn't changed afterwards.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// What gives the value; nil leaves the property as a new object has it.
    ///
    /// The variables `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`
    /// may be used.
    open var valueExpression: NSExpression?

    /// What the program wants to say about the mapping; not interpreted.
    open var userInfo: [AnyHashable: Any]?

    /// What a file holds under `NSPropertyTransforms`, which no file at hand uses: kept for writing.
    package final var propertyTransforms: Any?

    /// Makes a mapping without name and value.
    public override init() { super.init() }

    /// Makes a mapping for a property of the destination entity.
    package convenience init(name: String, valueExpression: NSExpression?) {
        self.init()
        self.name = name
        self.valueExpression = valueExpression
    }

    open override var description: String {
        """
        <\(Swift.type(of: self))> name \(name ?? "(none)"), valueExpression \
        \(valueExpression?.description ?? "(none)")
        """
    }
}
