import CoreData
import TestSupport

/// A random model and a random later version of it. Parts of both versions with one number are the same part.
struct RandomVersions {
    struct Attribute {
        let number: Int
        var name: String
        var type: NSAttributeType
        var isRequired: Bool
        /// Numbers and texts; nil for no default value.
        var defaultValue: Int?
    }

    struct Relationship {
        enum Kind: CaseIterable { case one, many, ordered }

        let number: Int
        var name: String
        let destination: Int
        var kind: Kind
        /// Nil for a relationship without inverse.
        var inverse: Kind?
        var inverseName: String
    }

    struct Entity {
        let number: Int
        var name: String
        /// An entity with a smaller number.
        var parent: Int?
        var attributes: [Attribute]
        var relationships: [Relationship]
    }

    private(set) var old: [Entity] = []
    private(set) var new: [Entity] = []
    private var generator: SeededGenerator
    private var count = 0

    static let numbers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
        .floatAttributeType, .decimalAttributeType, .booleanAttributeType,
    ]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...5, using: &generator) { old.append(entity(among: old)) }
        for index in old.indices {
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                old[index].relationships.append(relationship(among: old))
            }
        }
        new = old
        for _ in 0..<Int.random(in: 1...8, using: &generator) { change() }
    }

    // MARK: Making

    /// A name that sorts anywhere among the others.
    private mutating func name() -> String {
        count += 1
        let letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement(using: &generator)!
        return "\(letter)part\(count)"
    }

    private mutating func attribute() -> Attribute {
        let name = name().lowercased()
        let type = generator.chance(1, of: 3) ? .stringAttributeType : Self.numbers.randomElement(using: &generator)!
        let isRequired = generator.chance(1, of: 3)
        return Attribute(
            number: count, name: name, type: type, isRequired: isRequired,
            defaultValue: isRequired || generator.chance(1, of: 3) ? Int.random(in: 0...9, using: &generator) : nil)
    }

    private mutating func entity(among entities: [Entity]) -> Entity {
        let name = name()
        let number = count
        let parent = generator.chance(1, of: 3) ? entities.randomElement(using: &generator)?.number : nil
        let attributes = (0..<Int.random(in: 1...4, using: &generator)).map { _ in attribute() }
        return Entity(number: number, name: name, parent: parent, attributes: attributes, relationships: [])
    }

    private mutating func relationship(among entities: [Entity]) -> Relationship {
        let (name, inverseName) = (name().lowercased(), name().lowercased())
        return Relationship(
            number: count, name: name, destination: entities.randomElement(using: &generator)!.number,
            kind: Relationship.Kind.allCases.randomElement(using: &generator)!,
            inverse: generator.chance(3, of: 4) ? [.one, .many, .ordered].randomElement(using: &generator) : nil,
            inverseName: inverseName)
    }

    private mutating func change() {
        let index = new.indices.randomElement(using: &generator)!
        let attribute = new[index].attributes.indices.randomElement(using: &generator)
        let relationship = new[index].relationships.indices.randomElement(using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: new.append(entity(among: new))
        case 1: removeEntity(index)
        case 2:
            let name = name()
            new[index].name = name
        case 3:
            let added = self.attribute()
            new[index].attributes.append(added)
        case 4: if let attribute { new[index].attributes.remove(at: attribute) }
        case 5:
            let name = name().lowercased()
            if let attribute { new[index].attributes[attribute].name = name }
        case 6:
            if let attribute, Self.numbers.contains(new[index].attributes[attribute].type) {
                let type = Self.numbers.randomElement(using: &generator)!
                new[index].attributes[attribute].type = type
            }
        case 7:
            if let attribute {
                let isRequired = new[index].attributes[attribute].isRequired
                new[index].attributes[attribute].isRequired = !isRequired
                if !isRequired { new[index].attributes[attribute].defaultValue = 4 }
            }
        case 8:
            let added = self.relationship(among: new)
            new[index].relationships.append(added)
        case 9: if let relationship { new[index].relationships.remove(at: relationship) }
        case 10:
            if let relationship {
                let (name, inverseName) = (name().lowercased(), name().lowercased())
                new[index].relationships[relationship].name = name
                new[index].relationships[relationship].inverseName = inverseName
            }
        default:
            if let relationship {
                let changed = inAnotherForm(new[index].relationships[relationship])
                new[index].relationships[relationship] = changed
            }
        }
    }

    private mutating func removeEntity(_ index: Int) {
        let number = new[index].number
        guard new.count > 1, !new.contains(where: { $0.parent == number }) else { return }
        new.remove(at: index)
        for index in new.indices { new[index].relationships.removeAll { $0.destination == number } }
    }

    /// A form that an inferred mapping model allows: to-many relationships stay to-many.
    private mutating func inAnotherForm(_ relationship: Relationship) -> Relationship {
        var changed = relationship
        // Without inverse an object has one owner only, so a to-one relationship would lose some.
        if relationship.inverse != nil || relationship.kind != .one { changed.kind = another(relationship.kind) }
        if let inverse = relationship.inverse { changed.inverse = another(inverse) }
        return changed
    }

    private mutating func another(_ kind: Relationship.Kind) -> Relationship.Kind {
        kind == .one
            ? Relationship.Kind.allCases.randomElement(using: &generator)!
            : [.many, .ordered].randomElement(using: &generator)!
    }

    // MARK: Models

    static func model(_ entities: [Entity], renaming old: [Entity]? = nil) -> NSManagedObjectModel {
        var descriptions: [Int: NSEntityDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription()
            description.name = entity.name
            let former = old?.first { $0.number == entity.number }
            if let former, former.name != entity.name { description.renamingIdentifier = former.name }
            description.properties = entity.attributes.map { attribute in
                let property = NSAttributeDescription()
                property.name = attribute.name
                property.attributeType = attribute.type
                property.isOptional = !attribute.isRequired
                property.defaultValue = attribute.defaultValue.map { value($0, attribute.type) }
                let name = former?.attributes.first { $0.number == attribute.number }?.name
                if let name, name != attribute.name { property.renamingIdentifier = name }
                return property
            }
            descriptions[entity.number] = description
        }
        for entity in entities {
            guard let description = descriptions[entity.number] else { continue }
            if let parent = entity.parent.flatMap({ descriptions[$0] }) { parent.subentities.append(description) }
            let former = old?.first { $0.number == entity.number }
            for relationship in entity.relationships {
                guard let destination = descriptions[relationship.destination] else { continue }
                let name = former?.relationships.first { $0.number == relationship.number }
                let property = Self.property(relationship.name, relationship.kind, destination, former: name?.name)
                description.properties.append(property)
                guard let kind = relationship.inverse else { continue }
                let inverse = Self.property(relationship.inverseName, kind, description, former: name?.inverseName)
                destination.properties.append(inverse)
                property.inverseRelationship = inverse
                inverse.inverseRelationship = property
            }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { descriptions[$0.number] }
        return model
    }

    private static func property(
        _ name: String, _ kind: Relationship.Kind, _ destination: NSEntityDescription, former: String?
    ) -> NSRelationshipDescription {
        let property = NSRelationshipDescription()
        property.name = name
        property.destinationEntity = destination
        property.maxCount = kind == .one ? 1 : 0
        property.isOrdered = kind == .ordered
        property.deleteRule = .nullifyDeleteRule
        property.isOptional = true
        if let former, former != name { property.renamingIdentifier = former }
        return property
    }

    /// A small number as a value of a type.
    static func value(_ number: Int, _ type: NSAttributeType) -> Any {
        switch type {
        case .stringAttributeType: "text \(number)"
        case .booleanAttributeType: NSNumber(value: number != 0)
        case .doubleAttributeType: NSNumber(value: Double(number))
        case .floatAttributeType: NSNumber(value: Float(number))
        case .decimalAttributeType: NSDecimalNumber(value: number)
        default: NSNumber(value: number)
        }
    }
}
