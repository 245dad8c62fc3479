/// One property of an entity layout: where its value lies and what the model says of it.
struct PropertySlot {
    let name: String
    let kind: StorageKind
    let property: NSPropertyDescription
    /// Position in the layout's list of properties; equal in all subentities.
    let index: Int
    /// Position of the value's cell, -1 for to-many relationships and fetched properties.
    let cell: Int
    /// Position among the relationships, -1 for attributes.
    let link: Int
    let isTransient: Bool
    let isOptional: Bool
    /// The value that a new object gets, nil without a default.
    let defaultValue: Any?
    /// Property index of the inverse in the destination's layout, set once all layouts stand.
    var inverse: Int = -1
    /// Number of the destination entity's layout, set once all layouts stand.
    var destination: UInt32 = 0

    var attribute: NSAttributeDescription? { property as? NSAttributeDescription }
    var relationship: NSRelationshipDescription? { property as? NSRelationshipDescription }
    var isRelationship: Bool { kind == .toOne || kind == .toMany }
    var isOrdered: Bool { relationship?.isOrdered ?? false }
}
