import OpenCoreData
import Testing

@Suite("Real stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct RealStoreTests {
    let folder = try! TemporaryFolder()

    static let stores: [(path: String, source: String?)] =
        (Corpus.storesWithModel + Corpus.storesOfSwiftData).map { ($0, nil) }
        + Corpus.storesWithoutModel.map { ($0.store, $0.model) }

    /// A store with a history is written to with the option.
    private static func options(_ path: String) -> [AnyHashable: Any]? {
        Corpus.storesOfSwiftData.contains(path) ? [NSPersistentHistoryTrackingKey: true as NSNumber] : nil
    }

    @Test("Each opens for reading, and every object gives every value", arguments: stores)
    func read(path: String, source: String?) throws {
        let copy = try Corpus.copy(path, into: folder)
        let rows = try FileContents(copy)
        let stack = try RealStack(copy, source: source)
        try stack.context.performAndWait {
            var count = 0
            for entity in try stack.populatedEntities() {
                for object in try stack.objects(of: entity) {
                    for name in entity.propertiesByName.keys { _ = object.value(forKey: name) }
                    expectFalse(object.isFault)
                    expectFalse(object.hasChanges)
                    count += 1
                }
            }
            let inFile = rows.cells.keys.filter { $0.hasSuffix("/Z_OPT") && !$0.hasPrefix("Z_") }.count
            expectEqual(count, inFile)
        }
    }

    @Test(
        "One changed value of one object of each entity is saved, and nothing else in the file changes",
        arguments: stores, [false, true])
    func change(store: (path: String, source: String?), isTracking: Bool) throws {
        let (path, source) = store
        let options = isTracking ? [NSPersistentHistoryTrackingKey: true as NSNumber] : Self.options(path)
        let copy = try Corpus.copy(path, into: folder)
        let before = try FileContents(copy)
        /// The column of each changed row, or how its name begins: two subentities may have a property of one name.
        var expected: [String: String] = [:]
        var changed: [(uri: URL, key: String, value: NSObject)] = []
        do {
            let stack = try RealStack(copy, source: source, options: options)
            try stack.context.performAndWait {
                for entity in try stack.populatedEntities() {
                    guard let object = try stack.objects(of: entity).first,
                        let (key, value) = Self.newValue(for: object)
                    else { continue }
                    object.setValue(value, forKey: key)
                    let uri = object.objectID.uriRepresentation()
                    changed.append((uri, key, value))
                    var root = entity
                    while let parent = root.superentity { root = parent }
                    expected["Z\(root.name!.uppercased())/\(uri.lastPathComponent.dropFirst())/"] =
                        "Z\(key.uppercased())"
                }
                #expect(!changed.isEmpty)
                try stack.context.save()
            }
        }
        let after = try FileContents(copy)
        expectEqual(after.integrity, "ok")
        // The counters of the history count its changes.
        let touched = after.changes(since: before).filter { !$0.hasPrefix("Z_PRIMARYKEY/160") }
        expectEqual(touched.count, 2 * expected.count)
        for (row, column) in expected {
            expectContains(touched, row + "Z_OPT")
            #expect(touched.contains { $0.hasPrefix(row + column) }, "\(row) \(column)")
        }
        let again = try RealStack(copy, source: source, options: options)
        try again.context.performAndWait {
            if isTracking { try Self.expectLastTransaction(changed.map { ($0.uri, $0.key) }, again.context) }
            for (uri, key, value) in changed {
                let object = try requireValue(try again.object(uri))
                expectTrue(value.isEqual(object.value(forKey: key)), "\(uri) \(key)")
            }
        }
    }

    /// Expects that the newest transaction of the history has updates of objects, each of one property.
    private static func expectLastTransaction(
        _ updates: [(uri: URL, key: String)], _ context: NSManagedObjectContext
    ) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let history = (try context.execute(request) as? NSPersistentHistoryResult)?.result
        let changes = (history as? [NSPersistentHistoryTransaction])?.last?.changes ?? []
        #expect(changes.allSatisfy { $0.changeType == .update })
        let recorded = changes.map { change in
            [change.changedObjectID.uriRepresentation().path] + (change.updatedProperties ?? []).map(\.name)
        }
        expectEqual(Set(recorded), Set(updates.map { [$0.uri.path, $0.key] }))
        expectEqual(recorded.count, updates.count)
    }

    /// An attribute that may be changed without breaking a rule of the model, with another value than it has.
    private static func newValue(for object: NSManagedObject) -> (String, NSObject)? {
        let constrained = Set(
            sequence(first: object.entity, next: \.superentity).flatMap { $0.uniquenessConstraints }.flatMap { $0 }.map
            { "\($0)" })
        for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name })
        where !attribute.isTransient && attribute.validationPredicates.isEmpty && !constrained.contains(attribute.name)
        {
            let old = object.value(forKey: attribute.name)
            switch attribute.attributeType {
            case .stringAttributeType: return (attribute.name, "Zażółć gęślą jaźń 🎼 \(old ?? "")" as NSString)
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
                return (attribute.name, NSNumber(value: ((old as? NSNumber)?.int64Value ?? 0) + 1))
            case .dateAttributeType:
                return (
                    attribute.name,
                    Date(timeIntervalSinceReferenceDate: ((old as? Date)?.timeIntervalSinceReferenceDate ?? 0) + 0.5)
                        as NSDate
                )
            case .doubleAttributeType:
                return (attribute.name, NSNumber(value: ((old as? NSNumber)?.doubleValue ?? 0) + 0.25))
            case .booleanAttributeType:
                return (attribute.name, NSNumber(value: !((old as? NSNumber)?.boolValue ?? false)))
            default: continue
            }
        }
        return nil
    }

    @Test("A member added to or taken from each to-many relationship is saved, on both sides", arguments: stores)
    func relate(path: String, source: String?) throws {
        let copy = try Corpus.copy(path, into: folder)
        var members: [(owner: URL, key: String, member: URL, isIn: Bool)] = []
        do {
            let stack = try RealStack(copy, source: source, options: Self.options(path))
            try stack.context.performAndWait {
                let populated = try stack.populatedEntities()
                for entity in populated {
                    for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
                    where relationship.isToMany && !relationship.isTransient
                        && relationship.inverseRelationship?.isToMany == true
                    {
                        // Of those that must not be empty the last member can't be taken away.
                        guard relationship.isOptional, relationship.inverseRelationship!.isOptional else { continue }
                        guard let owner = try stack.objects(of: entity).first,
                            let destination = populated.first(where: {
                                $0.isKindOf(entity: relationship.destinationEntity!)
                            }),
                            let member = try stack.objects(of: destination).last, member !== owner
                        else { continue }
                        let pair = (owner.objectID.uriRepresentation(), member.objectID.uriRepresentation())
                        // Once from one side is enough.
                        if members.contains(where: {
                            $0.owner == pair.1 && $0.member == pair.0
                                && $0.key == relationship.inverseRelationship!.name
                        }) {
                            continue
                        }
                        let isIn = try Self.toggle(member, in: relationship, of: owner)
                        members.append((pair.0, relationship.name, pair.1, isIn))
                    }
                }
                try stack.context.save()
            }
        }
        try expectEqual(FileContents(copy).integrity, "ok")
        let again = try RealStack(copy, source: source)
        try again.context.performAndWait {
            for (owner, key, member, isIn) in members {
                let first = try requireValue(try again.object(owner))
                let second = try requireValue(try again.object(member))
                let inverse = try requireValue(first.entity.relationshipsByName[key]?.inverseRelationship?.name)
                expectEqual(Self.contains(first, key, second), isIn, "\(owner) \(key) \(member)")
                expectEqual(Self.contains(second, inverse, first), isIn, "\(member) \(inverse) \(owner)")
            }
        }
    }

    private static func toggle(
        _ member: NSManagedObject, in relationship: NSRelationshipDescription, of owner: NSManagedObject
    ) throws -> Bool {
        let isIn = contains(owner, relationship.name, member)
        if relationship.isOrdered {
            let set = owner.mutableOrderedSetValue(forKey: relationship.name)
            if isIn { set.remove(member) } else { set.add(member) }
        } else {
            let set = owner.mutableSetValue(forKey: relationship.name)
            if isIn { set.remove(member) } else { set.add(member) }
        }
        return !isIn
    }

    private static func contains(_ owner: NSManagedObject, _ key: String, _ member: NSManagedObject) -> Bool {
        switch owner.value(forKey: key) {
        case let set as NSSet: set.contains(member)
        case let set as NSOrderedSet: set.contains(member)
        default: false
        }
    }

    @Test("A renamed entity whose old name is still in the file gets new rows, with keys of their own")
    func insert() throws {
        let copy = try Corpus.copy("shop/SampleModel_V2.sqlite", into: folder)
        let before = try FileContents(copy)
        let uri: URL
        do {
            let stack = try RealStack(copy)
            uri = try stack.context.performAndWait {
                let car = NSEntityDescription.insertNewObject(forEntityName: "LuxuryCar", into: stack.context)
                car.setValue("NEW 1", forKey: "numberPlate")
                let people = try requireValue(stack.model.entitiesByName["Person"])
                let person = try stack.objects(of: people).first
                #expect(person != nil)
                car.setValue(person, forKey: "owner")
                try stack.context.save()
                return car.objectID.uriRepresentation()
            }
        }
        let after = try FileContents(copy)
        expectEqual(after.integrity, "ok")
        let key = try requireValue(Int(uri.lastPathComponent.dropFirst()))
        expectEqual(before.cells["ZCAR/\(key)/Z_PK"], nil)
        expectEqual(after.cells["ZCAR/\(key)/Z_ENT"], "3")
        expectEqual(after.cells["Z_PRIMARYKEY/1/Z_MAX"], "\(key)")
        expectEqual(after.cells["Z_PRIMARYKEY/3/Z_NAME"], before.cells["Z_PRIMARYKEY/3/Z_NAME"])
    }

    @Test("A store without its model in it, opened with the model of another, is refused with Apple's code")
    func otherModel() throws {
        let copy = try Corpus.copy("chat/stores/2-99-0.sqlite", into: folder)
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try Corpus.model("chat/zmessaging.xcdatamodeld/zmessaging2.98.0.xcdatamodel"))
        let error = thrownError {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: copy))
        }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
        expectEqual(error?.domain, NSCocoaErrorDomain)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: copy)), before)
    }
}
