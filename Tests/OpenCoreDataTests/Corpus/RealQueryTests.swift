import CoreDataPredicates
import OpenCoreData
import Testing

/// Questions about real data, made from the data itself, asked of SQLite and of the objects.
@Suite("Queries of real stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct RealQueryTests {
    let folder = try! TemporaryFolder()

    @Test("A predicate has the same answer as SQL and in memory", arguments: RealStoreTests.stores.sampled(3))
    func predicates(path: String, source: String?) throws {
        let stack = try RealStack(Corpus.copy(path, into: folder), source: source)
        try stack.context.performAndWait {
            var asked = 0
            for entity in try stack.populatedEntities() {
                let objects = try stack.objects(of: entity)
                for (format, arguments) in Self.questions(about: entity, objects) {
                    let predicate = NSPredicate(format: format, argumentArray: arguments)
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                    request.includesSubentities = false
                    request.predicate = predicate
                    let found = Set(try stack.context.fetch(request).map(\.objectID))
                    let expected = Set(objects.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.objectID))
                    expectEqual(found, expected, "\(entity.name!): \(format) \(arguments)")
                    try expectEqual(
                        stack.context.count(for: request), found.count, "\(entity.name!): \(format) \(arguments)")
                    asked += 1
                }
            }
            #expect(asked > 50)
        }
    }

    @Test("Sorting by an attribute gives the same order as SQL and in memory", arguments: RealStoreTests.stores)
    func sorting(path: String, source: String?) throws {
        let stack = try RealStack(Corpus.copy(path, into: folder), source: source)
        try stack.context.performAndWait {
            for entity in try stack.populatedEntities() {
                let objects = try stack.objects(of: entity)
                for attribute in Self.comparableAttributes(of: entity)
                where attribute.attributeType != .UUIDAttributeType {
                    for isAscending in [true, false] {
                        let descriptor = NSSortDescriptor(key: attribute.name, ascending: isAscending)
                        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                        request.includesSubentities = false
                        request.sortDescriptors = [descriptor]
                        let values = try stack.context.fetch(request).map {
                            "\($0.value(forKey: attribute.name) ?? "nil")"
                        }
                        let expected = SortedObjects.sort(objects, by: [descriptor]).map {
                            "\($0.value(forKey: attribute.name) ?? "nil")"
                        }
                        expectEqual(values, expected, "\(entity.name!).\(attribute.name)")
                    }
                }
            }
        }
    }

    private static func comparableAttributes(of entity: NSEntityDescription) -> [NSAttributeDescription] {
        let types: Set<NSAttributeType> = [
            .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType,
            .doubleAttributeType, .floatAttributeType, .dateAttributeType, .UUIDAttributeType,
        ]
        return entity.attributesByName.values.filter { !$0.isTransient && types.contains($0.attributeType) }.sorted {
            $0.name < $1.name
        }
    }

    private static func questions(about entity: NSEntityDescription, _ objects: [NSManagedObject]) -> [(String, [Any])]
    {
        var questions: [(String, [Any])] = []
        for attribute in comparableAttributes(of: entity) {
            let key = attribute.name
            questions += [("%K == nil", [key]), ("%K != nil", [key])]
            for value in samples(objects.compactMap { $0.value(forKey: key) }) {
                questions += [
                    ("%K == %@", [key, value]), ("NOT %K == %@", [key, value]), ("%K IN %@", [key, [value]]),
                ]
                if let text = value as? String {
                    let part = String(text.dropFirst(text.count / 3).prefix(4))
                    questions += [
                        ("%K BEGINSWITH[c] %@", [key, String(text.prefix(3)).uppercased()]),
                        ("%K ENDSWITH %@", [key, String(text.suffix(2))]),
                        ("%K CONTAINS[cd] %@", [key, part]), ("%K LIKE %@", [key, "?\(part)*"]),
                        ("%K < %@", [key, text]),
                        ("%K.length > %d", [key, text.count]), ("%K MATCHES %@", [key, "[A-Za-z].*"]),
                    ]
                } else if attribute.attributeType != .UUIDAttributeType {
                    questions += [
                        ("%K < %@", [key, value]), ("%K >= %@", [key, value]),
                        ("%K BETWEEN %@", [key, [value, value]]),
                    ]
                }
            }
        }
        for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
        where !relationship.isTransient {
            let key = relationship.name
            if relationship.isToMany {
                questions += [("%K.@count > 1", [key]), ("%K.@count == 0", [key])]
            } else {
                questions.append(("%K == nil", [key]))
            }
            guard let destination = relationship.destinationEntity,
                let attribute = comparableAttributes(of: destination).first
            else { continue }
            let path = "\(key).\(attribute.name)"
            let reached = objects.flatMap { object -> [NSManagedObject] in
                switch object.value(forKey: key) {
                case let one as NSManagedObject: [one]
                case let many as NSOrderedSet: many.array.compactMap { $0 as? NSManagedObject }
                case let many as NSSet: many.allObjects.compactMap { $0 as? NSManagedObject }
                default: []
                }
            }
            for value in samples(reached.compactMap { $0.value(forKey: attribute.name) }) {
                if relationship.isToMany {
                    questions += [
                        ("ANY %K == %@", [path, value]), ("NONE %K == %@", [path, value]),
                        ("ALL %K == %@", [path, value]),
                    ]
                } else {
                    questions += [("%K == %@", [path, value]), ("%K != %@", [path, value])]
                }
            }
        }
        return questions
    }

    /// The first, the middle and the last of the values.
    private static func samples(_ values: [Any]) -> [Any] {
        values.isEmpty ? [] : Set([0, values.count / 2, values.count - 1]).sorted().map { values[$0] }
    }
}
