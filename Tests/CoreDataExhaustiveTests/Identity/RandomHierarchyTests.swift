import CoreData
import Testing

/// Random hierarchies of entities, and IDs that name their rows by random entities.
@Suite("Random hierarchies with altered IDs")
struct RandomHierarchyTests {
    private static let kinds: [StoreKind] = [.sqlite, .memory, .binary, .xml]

    /// A model with one or two hierarchies whose entities have their own attributes.
    private struct Family {
        let model: NSManagedObjectModel
        let names: [String]

        init(_ random: inout SeededGenerator) {
            var entities: [NSEntityDescription] = []
            let types: [NSAttributeType] = [
                .stringAttributeType, .integer64AttributeType, .doubleAttributeType, .binaryDataAttributeType,
                .dateAttributeType, .UUIDAttributeType,
            ]
            let roots = Int.random(in: 1...2, using: &random)
            for index in 0..<Int.random(in: 3...9, using: &random) {
                let new = entity("E\(index)", [attribute("a\(index)", types.randomElement(using: &random)!)])
                if random.chance(1, of: 2) { new.properties.append(attribute("b\(index)", .stringAttributeType)) }
                if index >= roots { entities.randomElement(using: &random)!.subentities.append(new) }
                entities.append(new)
            }
            for index in 0..<roots {
                let other = entities[Int.random(in: 0..<roots, using: &random)]
                entities[index].properties += [toOne("one\(index)", other), toMany("many\(index)", other)]
            }
            names = entities.map { $0.name ?? "" }
            model = CoreDataTestSupport.model(entities)
        }
    }

    private static func value(_ type: NSAttributeType, _ random: inout SeededGenerator) -> Any {
        let number = Int64.random(in: -1000...1000, using: &random)
        return switch type {
        case .stringAttributeType: "a text of some length, number \(number)"
        case .integer64AttributeType: NSNumber(value: number)
        case .doubleAttributeType: NSNumber(value: Double(number) / 4)
        case .binaryDataAttributeType: Data("\(number)".utf8)
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number))
        default: UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", number.magnitude))")!
        }
    }

    /// The entity and the values of each object, by the last part of its URI.
    private static func contents(_ context: NSManagedObjectContext, roots: [String]) throws -> [String: String] {
        var contents: [String: String] = [:]
        for root in roots {
            for object in try context.all(root) {
                let values = object.entity.attributesByName.keys.sorted().map { key in
                    "\(key)=\(object.value(forKey: key).map { "\($0)" } ?? "nil")"
                }
                let parts = object.objectID.uriRepresentation().path.split(separator: "/")
                contents["\(root) \(parts[1])"] = "\(parts[0]) \(values.joined(separator: " "))"
            }
        }
        return contents
    }

    @Test(
        "After any sequence of accepted operations every row has its entity and its values", arguments: kinds,
        TestRun.seeds(for: "random hierarchies", count: TestRun.quick(8, long: 200)))
    func sequences(kind: StoreKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let family = Family(&random)
        let roots = family.model.entities.filter { $0.superentity == nil }.compactMap(\.name).sorted()
        let stack = try TestStack(kind, model: family.model)
        var expected: [String: String] = [:]
        try on(stack.context) {
            for _ in 0..<12 {
                let object = stack.context.make(family.names.randomElement(using: &random)!)
                for (key, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key }) {
                    object.setValue(Self.value(attribute.attributeType, &random), forKey: key)
                }
            }
            try stack.context.save()
            expected = try Self.contents(stack.context, roots: roots)
        }
        for _ in 0..<15 {
            let context = stack.newContext()
            try on(context) { try step(context, stack, family, roots, &expected, &random) }
            try on(stack.context) {
                let found = try Self.contents(stack.context, roots: roots)
                expectEqual(found, expected)
            }
        }
        try inFreshContext(stack) { fresh in
            let found = try Self.contents(fresh, roots: roots)
            expectEqual(found, expected)
        }
    }

    /// Does something with an ID that names an object by a random entity. Only the object that has the entity changes.
    private func step(
        _ context: NSManagedObjectContext, _ stack: TestStack, _ family: Family, _ roots: [String],
        _ expected: inout [String: String], _ random: inout SeededGenerator
    ) throws {
        let all = try roots.flatMap { try context.all($0) }.sorted {
            $0.objectID.uriRepresentation().absoluteString < $1.objectID.uriRepresentation().absoluteString
        }
        guard let chosen = all.randomElement(using: &random) else { return }
        let id = chosen.objectID
        if random.chance(1, of: 2) { context.reset() }
        let name = family.names.randomElement(using: &random)!
        let altered = try stack.coordinator.id(id, named: name)
        var target = context
        if random.chance(1, of: 3) {
            target = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            target.parent = context
        }
        context.mergePolicy = [NSMergePolicy.error, .overwrite, .mergeByPropertyObjectTrump].randomElement(
            using: &random)!
        let action = Int.random(in: 0..<6, using: &random)
        let attributes = try requireValue(family.model.entitiesByName[name]).attributesByName.sorted { $0.key < $1.key }
        let (key, attribute) = attributes.randomElement(using: &random)!
        let value = Self.value(attribute.attributeType, &random)
        var isTheObject = false
        try on(target) {
            let object = action == 5 ? try? target.existingObject(with: altered) : target.object(with: altered)
            guard let object else { return }
            isTheObject = object.objectID == id
            switch action {
            case 0: for key in object.entity.propertiesByName.keys { _ = object.value(forKey: key) }
            case 1: object.setValue(value, forKey: key)
            case 2: target.delete(object)
            case 3: target.refresh(object, mergeChanges: true)
            case 4:
                for root in roots {
                    for other in try target.all(root) {
                        for key in other.entity.relationshipsByName.keys.sorted() {
                            guard let relationship = other.entity.relationshipsByName[key],
                                let destination = relationship.destinationEntity,
                                object.entity.isKindOf(entity: destination)
                            else { continue }
                            if relationship.isToMany {
                                other.mutableSetValue(forKey: key).add(object)
                            } else {
                                other.setValue(object, forKey: key)
                            }
                        }
                    }
                }
            default: if object.entity.attributesByName[key] != nil { object.setValue(value, forKey: key) }
            }
            try? target.save()
        }
        if target !== context { try? context.save() }
        context.reset()
        // An ID of the object's entity, or of a superentity, changes and deletes the object like any other ID. In
        // another hierarchy the ID names another object.
        func path(_ id: NSManagedObjectID) -> [String?] {
            sequence(first: id.entity, next: \.superentity).reversed().map(\.name)
        }
        let (own, named) = (path(id), path(altered))
        guard isTheObject || own.first != named.first || own.starts(with: named) else { return }
        expected = try Self.contents(context, roots: roots)
    }
}
