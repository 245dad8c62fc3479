import CoreData

/// The model under test as plain values: the reference reads them, and Core Data's model is made of them (see
/// `RandomModel`).
enum RandomSchema {
    /// Items are abstract; boxes and things are items, crates are boxes, gems are things.
    enum Entity: String, CaseIterable {
        case item = "Item"
        case box = "Box"
        case crate = "Crate"
        case thing = "Thing"
        case gem = "Gem"

        static let concrete: [Entity] = [.box, .crate, .thing, .gem]

        var parent: Entity? {
            switch self {
            case .item: nil
            case .box, .thing: .item
            case .crate: .box
            case .gem: .thing
            }
        }

        func isKind(of other: Entity) -> Bool { self == other || parent?.isKind(of: other) == true }
    }

    struct Attribute {
        let name: String
        let entity: Entity
        let type: NSAttributeType
        var isOptional = true
        var isTransient = false
        var initial = ReferenceValue.none
    }

    enum DeleteRule { case nullify, cascade, deny, noAction }

    struct Relationship {
        let name: String
        let entity: Entity
        let destination: Entity
        var inverse: String?
        var isToMany = false
        var isOrdered = false
        var rule = DeleteRule.nullify

        /// Whether deleted objects stay in the relationship until the program removes them.
        var isLeftToTheProgram: Bool { inverse == nil || rule == .noAction }
    }

    static let attributes: [Attribute] = [
        Attribute(name: "number", entity: .item, type: .integer64AttributeType, isOptional: false),
        Attribute(
            name: "title", entity: .item, type: .stringAttributeType, isOptional: false, initial: .text("untitled")),
        Attribute(name: "name", entity: .item, type: .stringAttributeType),
        Attribute(name: "small", entity: .item, type: .integer16AttributeType, initial: .integer(7)),
        Attribute(name: "note", entity: .item, type: .stringAttributeType, isTransient: true),
        Attribute(name: "middle", entity: .box, type: .integer32AttributeType),
        Attribute(name: "flag", entity: .box, type: .booleanAttributeType, isOptional: false, initial: .integer(0)),
        Attribute(name: "single", entity: .box, type: .floatAttributeType),
        Attribute(name: "exact", entity: .crate, type: .decimalAttributeType),
        Attribute(name: "uuid", entity: .crate, type: .UUIDAttributeType),
        Attribute(name: "real", entity: .thing, type: .doubleAttributeType),
        Attribute(name: "date", entity: .thing, type: .dateAttributeType),
        Attribute(name: "data", entity: .thing, type: .binaryDataAttributeType),
        Attribute(name: "link", entity: .gem, type: .URIAttributeType),
    ]

    static let relationships: [Relationship] = [
        // A tree, or a ring: deletions run round it.
        Relationship(name: "parent", entity: .item, destination: .item, inverse: "children"),
        Relationship(
            name: "children", entity: .item, destination: .item, inverse: "parent", isToMany: true, rule: .cascade),
        // Their own inverses.
        Relationship(name: "friends", entity: .item, destination: .item, inverse: "friends", isToMany: true),
        Relationship(name: "peer", entity: .item, destination: .item, inverse: "peer"),
        // One to one.
        Relationship(name: "lid", entity: .box, destination: .thing, inverse: "lidOf", rule: .cascade),
        Relationship(name: "lidOf", entity: .thing, destination: .box, inverse: "lid"),
        // One to many, in order.
        Relationship(
            name: "contents", entity: .box, destination: .thing, inverse: "holder", isToMany: true, isOrdered: true,
            rule: .cascade),
        Relationship(name: "holder", entity: .thing, destination: .box, inverse: "contents"),
        // Many to many: plain, with one side in order, with both.
        Relationship(name: "tags", entity: .box, destination: .thing, inverse: "tagged", isToMany: true),
        Relationship(name: "tagged", entity: .thing, destination: .box, inverse: "tags", isToMany: true),
        Relationship(
            name: "ranked", entity: .box, destination: .thing, inverse: "rankedBy", isToMany: true, isOrdered: true),
        Relationship(name: "rankedBy", entity: .thing, destination: .box, inverse: "ranked", isToMany: true),
        Relationship(
            name: "rows", entity: .box, destination: .thing, inverse: "columns", isToMany: true, isOrdered: true),
        Relationship(
            name: "columns", entity: .thing, destination: .box, inverse: "rows", isToMany: true, isOrdered: true),
        // A box with locks can't be deleted.
        Relationship(
            name: "locks", entity: .box, destination: .thing, inverse: "lockedBy", isToMany: true, rule: .deny),
        Relationship(name: "lockedBy", entity: .thing, destination: .box, inverse: "locks"),
        // No rule removes deleted objects: the program has to.
        Relationship(name: "keeper", entity: .crate, destination: .gem, inverse: "kept", rule: .noAction),
        Relationship(
            name: "kept", entity: .gem, destination: .crate, inverse: "keeper", isToMany: true, rule: .noAction),
        // Without inverse.
        Relationship(name: "favourite", entity: .box, destination: .thing),
        Relationship(name: "wishes", entity: .crate, destination: .item, isToMany: true),
    ]

    private static let attributesByEntity = Dictionary(
        uniqueKeysWithValues: Entity.allCases.map { entity in
            (entity, attributes.filter { entity.isKind(of: $0.entity) })
        })
    private static let relationshipsByEntity = Dictionary(
        uniqueKeysWithValues: Entity.allCases.map { entity in
            (entity, relationships.filter { entity.isKind(of: $0.entity) })
        })
    private static let relationshipsByName = Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0) })
    private static let attributesByName = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })

    static func attributes(of entity: Entity) -> [Attribute] { attributesByEntity[entity]! }
    static func relationships(of entity: Entity) -> [Relationship] { relationshipsByEntity[entity]! }
    static func relationship(_ name: String) -> Relationship { relationshipsByName[name]! }
    static func attribute(_ name: String) -> Attribute { attributesByName[name]! }
}
