import CoreData

/// The managed object model that a schema becomes.
@Suite struct ManagedModelTests {
    private func entity(_ name: String, of types: any PersistentModel.Type...) throws -> NSEntityDescription {
        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: types))
        return try requireValue(model.entitiesByName[name])
    }

    @Test func attributesHaveTheTypesOfCoreData() throws {
        let attributes = try entity("EveryType", of: EveryType.self).attributesByName
        expectEqual(attributes["int8"]?.attributeType, .integer16AttributeType)
        expectEqual(attributes["uint64"]?.attributeType, .integer64AttributeType)
        expectEqual(attributes["float"]?.attributeType, .floatAttributeType)
        expectEqual(attributes["uuid"]?.attributeType, .UUIDAttributeType)
        expectEqual(attributes["structures"]?.attributeType, .binaryDataAttributeType)
        expectEqual(attributes["ephemeral"]?.isTransient, true)
    }

    @Test func casesWithoutPayloadsAreStringsAndOthersData() throws {
        let attributes = try entity("EveryType", of: EveryType.self).attributesByName
        func elements(_ name: String) throws -> [String: NSAttributeType] {
            let composite = try requireValue(attributes[name] as? NSCompositeAttributeDescription)
            return Dictionary(uniqueKeysWithValues: composite.elements.map { ($0.name, $0.attributeType) })
        }
        try expectEqual(elements("spec"), ["algonquin": .stringAttributeType, "negroni": .stringAttributeType])
        try expectEqual(
            elements("payload"),
            [
                "empty": .stringAttributeType, "text": .binaryDataAttributeType, "range": .binaryDataAttributeType,
            ])
    }

    @Test func arrayOfPlainValuesIsTransformable() throws {
        let tags = try entity("Recipe", of: Recipe.self).attributesByName["tags"]
        expectEqual(tags?.attributeType, .transformableAttributeType)
        expectEqual(tags?.attributeValueClassName, "Array<String>")
        expectEqual(tags?.valueTransformerName, "NSSecureUnarchiveFromData")
    }

    @Test func optionsAreThoseOfTheSource() throws {
        let attributes = try entity("Letter", of: Letter.self).attributesByName
        expectEqual(attributes["body"]?.allowsExternalBinaryDataStorage, true)
        expectEqual(attributes["sender"]?.preservesValueInHistoryOnDeletion, true)
        expectEqual(attributes["sender"]?.renamingIdentifier, "from")
        expectEqual(attributes["sender"]?.versionHashModifier, "2")
    }

    @Test func hashModifierChangesTheHash() throws {
        let letter = try entity("Letter", of: Letter.self)
        let plain = try entity("PlainLetter", of: PlainLetter.self)
        let hash = letter.attributesByName["sender"]?.versionHash
        #expect(hash != plain.attributesByName["sender"]?.versionHash)
        expectEqual(letter.attributesByName["body"]?.versionHash, plain.attributesByName["body"]?.versionHash)
    }

    @Test func countsAndRulesAreThoseOfTheSource() throws {
        let letters = try entity("Mailbox", of: Mailbox.self).relationshipsByName["letters"]
        expectEqual(letters?.minCount, 0)
        expectEqual(letters?.maxCount, 20)
        expectEqual(letters?.deleteRule, .denyDeleteRule)
        expectEqual(letters?.isOptional, false)
    }

    @Test func enumerationIsMarkedInTheUserInfo() throws {
        let course = try entity("Recipe", of: Recipe.self).attributesByName["course"]
        expectEqual((course?.userInfo?["EnumType"] as? NSNumber)?.boolValue, true)
    }

    @Test func modelHasTheVersionOfItsSchema() {
        let schema = Schema([Letter.self], version: Schema.Version(3, 1, 0))
        let model = NSManagedObjectModel.makeManagedObjectModel(for: schema)
        expectEqual(model?.versionIdentifiers, ["3.1.0"])
        expectEqual(model?.configurations, ["default"])
    }

    @Test func modelIsMergedWithAnother() throws {
        let other = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Stamp"
        other.entities = [entity]
        let model = NSManagedObjectModel.makeManagedObjectModel(for: [Letter.self], mergedWith: other)
        expectEqual(model?.entities.compactMap(\.name).sorted(), ["Letter", "Stamp"])
    }

    @Test func entitiesOfOneNameAreNotMerged() throws {
        let other = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Letter"
        other.entities = [entity]
        expectEqual(NSManagedObjectModel.makeManagedObjectModel(for: [Letter.self], mergedWith: other), nil)
    }

    @Test func coreDataReadsAndWritesTheStoreOfAContainer() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("letters.store")
        let container = try ModelContainer(for: Letter.self, configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        context.insert(Letter(sender: "Ada"))
        try context.save()

        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: [Letter.self]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let plain = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        plain.persistentStoreCoordinator = coordinator
        let object = try requireValue(try plain.fetch(NSFetchRequest<NSManagedObject>(entityName: "Letter")).first)
        #expect(object.value(forKey: "sender") as? String == "Ada")
        object.setValue("Grace", forKey: "sender")
        try plain.save()
        try expectEqual(ModelContext(container).fetch(FetchDescriptor<Letter>()).map(\.sender), ["Grace"])
    }
}

@Model final class Letter {
    @Attribute(.externalStorage) var body: Data?
    @Attribute(.preserveValueOnDeletion, originalName: "from", hashModifier: "2") var sender: String

    init(sender: String) { self.sender = sender }
}

@Model final class PlainLetter {
    @Attribute(.externalStorage) var body: Data?
    @Attribute(.preserveValueOnDeletion) var sender: String

    init(sender: String) { self.sender = sender }
}

@Model final class Mailbox {
    @Relationship(deleteRule: .deny, maximumModelCount: 20) var letters: [Letter] = []

    init() {}
}
