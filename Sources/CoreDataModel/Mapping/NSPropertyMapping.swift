// SPDX-License-Identifier: Apache-2.0

/// Describes how a migration computes the value of a property of the destination entity.
///
/// A mapping belongs to one thread until it is given to a migration, and must not change afterwards.
nonisolated open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?

    /// The expression for the value. Nil leaves the default value of a new object.
    ///
    /// The expression can use the variables `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping`
    /// and `$entityPolicy`.
    open var valueExpression: NSExpression?

    /// Values for the program's use. Core Data doesn't interpret them.
    open var userInfo: [AnyHashable: Any]?

    /// The value under `NSPropertyTransforms` in a file. No known file uses it; it is written back.
    final var propertyTransforms: Any?

    /// Creates a mapping without a name and a value.
    public override init() { super.init() }

    /// Creates a mapping for a property of the destination entity.
    convenience init(name: String, valueExpression: NSExpression?) {
        self.init()
        self.name = name
        self.valueExpression = valueExpression
    }

    /// Whether both mappings have equal parts.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return self === other
            || name == other.name && expressionsAreEqual(valueExpression, other.valueExpression)
                && userInfosAreEqual(userInfo, other.userInfo)
                && valuesAreEqual(propertyTransforms, other.propertyTransforms)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { name.hashValue }

    /// A description for debugging.
    open override var description: String {
        """
        <\(Swift.type(of: self))> name \(name ?? "(none)"), valueExpression \
        \(valueExpression?.description ?? "(none)")
        """
    }
}

/// The values that expressions read by key: `$propertyMapping.name`.
extension NSPropertyMapping: KeyValueCoding {
    /// The value of a property of the class.
    ///
    /// - Parameter key: `name`, `valueExpression` or `userInfo`. Another key gives nil.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "valueExpression": valueExpression
        case "userInfo": userInfo
        default: nil
        }
    }
}
