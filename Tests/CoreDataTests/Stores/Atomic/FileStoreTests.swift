import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Stores in files that are written as a whole")
struct FileStoreTests {
    static let kinds: [StoreKind] = [.binary, .xml]

    static func valueModel() -> NSManagedObjectModel {
        model([
            entity(
                "Thing",
                [
                    attribute("i16", .integer16AttributeType), attribute("i32", .integer32AttributeType),
                    attribute("i64", .integer64AttributeType), attribute("flag", .booleanAttributeType),
                    attribute("real", .doubleAttributeType), attribute("small", .floatAttributeType),
                    attribute("date", .dateAttributeType), attribute("text", .stringAttributeType),
                    attribute("money", .decimalAttributeType), attribute("bytes", .binaryDataAttributeType),
                    attribute("uuid", .UUIDAttributeType), attribute("link", .URIAttributeType),
                    attribute("extra", .transformableAttributeType),
                ])
        ])
    }

    @Test("every value is the same after the file was read again", arguments: kinds)
    func values(_ kind: StoreKind) throws {
        let text = "a < b & \"c\" > d ' \u{1} \u{0} \r\n\t \u{1F600} \u{FFFE} ]]>"
        let values: [String: Any] = [
            "i16": NSNumber(value: Int16.min), "i32": NSNumber(value: Int32.max), "i64": NSNumber(value: Int64.min),
            "flag": NSNumber(value: true), "real": NSNumber(value: 0.1 + 0.2), "small": NSNumber(value: Float(0.1)),
            "date": Date(timeIntervalSinceReferenceDate: 712_345_678.901_234_5), "text": text,
            "money": NSDecimalNumber(string: "12345678901234567890.0123456789"),
            "bytes": Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) }), "uuid": UUID(),
            "link": URL(string: "https://example.org/a?b=c&d=%20")!,
            "extra": ["a": [1, 2, 3], "b": "c"] as NSDictionary,
        ]
        try withStack(kind, model: Self.valueModel()) { stack in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            thing.setValuesForKeys(values)
            _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            try stack.context.save()
            let uri = thing.objectID.uriRepresentation()
            try inFreshContext(stack) { context in
                let id = try requireValue(
                    context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                let other = try context.existingObject(with: id)
                for (key, value) in values {
                    #expect(
                        (other.value(forKey: key) as? NSObject)?.isEqual(value as? NSObject) == true
                            || other.value(forKey: key) as? AnyHashable == value as? AnyHashable, "\(key)")
                }
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")), 2)
            }
        }
    }

    @Test("values of many megabytes can be read again", arguments: kinds)
    func largeValues(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.valueModel()) { stack in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            // The XML parser refuses texts of more than ten million bytes.
            let bytes = Data(repeating: 7, count: 8 << 20)
            thing.setValue(bytes, forKey: "bytes")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let other = try requireValue(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
                #expect(other.value(forKey: "bytes") as? Data == bytes)
            }
        }
    }

    @Test("a coordinator doesn't overwrite what another one has saved", arguments: kinds)
    func otherWriter(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.valueModel()) { stack in
            try stack.context.save()
            try inFreshContext(stack) { context in
                NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context).setValue("b", forKey: "text")
                try context.save()
            }
            NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context).setValue(
                "a", forKey: "text")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            expectEqual(stack.context.insertedObjects.count, 1)
            try inFreshContext(stack) { context in
                let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
                expectEqual(things.map { $0.value(forKey: "text") as? String }, ["b"])
            }
        }
    }

    @Test("metadata is read and replaced without opening the store", arguments: kinds)
    func metadata(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.valueModel()) { stack in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            try stack.context.save()
            var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: kind.type, at: stack.url, options: nil)
            #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
            #expect(metadata[NSStoreTypeKey] as? String == kind.type)
            expectTrue(stack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            metadata["owner"] = "Ada & Bob"
            try NSPersistentStoreCoordinator.setMetadata(
                metadata, forPersistentStoreOfType: kind.type, at: stack.url, options: nil)
            try inFreshContext(stack) { context in
                let store = try requireValue(context.persistentStoreCoordinator?.persistentStores.first)
                #expect(store.metadata["owner"] as? String == "Ada & Bob")
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")), 1)
                store.metadata["owner"] = "Eve"
                try context.save()
            }
            let changed = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: kind.type, at: stack.url, options: nil)
            #expect(changed["owner"] as? String == "Eve")
        }
    }

    @Test("a store of another model is refused", arguments: kinds)
    func otherModel(_ kind: StoreKind) throws {
        let stack = try TestStack(kind, model: Self.valueModel())
        let other = NSPersistentStoreCoordinator(
            managedObjectModel: model([entity("Thing", [attribute("text", .stringAttributeType)])]))
        let error = #expect(throws: NSError.self) {
            try other.addPersistentStore(ofType: kind.type, configurationName: nil, at: stack.url, options: nil)
        }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("a failed save leaves the file as it was", arguments: kinds)
    func failedSave(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.valueModel()) { stack in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            thing.setValue("kept", forKey: "text")
            try stack.context.save()
            let before = try Data(contentsOf: stack.url)
            thing.setValue(Unarchivable(), forKey: "extra")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSCoreDataError)
            try expectEqual(Data(contentsOf: stack.url), before)
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path).count, 1)
            thing.setValue(nil, forKey: "extra")
            thing.setValue("changed", forKey: "text")
            try stack.context.save()
            #expect(try Data(contentsOf: stack.url) != before)
        }
    }

    private final class Unarchivable: NSObject {}

    @Test("destroying removes the file", arguments: kinds)
    func destroying(_ kind: StoreKind) throws {
        let stack = try TestStack(kind, model: Self.valueModel())
        try stack.coordinator.destroyPersistentStore(at: stack.url, ofType: kind.type, options: nil)
        expectEmpty(stack.coordinator.persistentStores)
        expectFalse(FileManager.default.fileExists(atPath: stack.url.path))
    }

    @Test("a file of another kind is refused", arguments: kinds)
    func otherFile(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("letter.store")
        try Data("Dear Sir or Madam".utf8).write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.valueModel())
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
        }
        expectEqual(error?.code, CocoaError.Code.fileReadCorruptFile.rawValue)
    }
}
