import CoreData
import Testing

@Suite("Errors of validation")
struct ValidationErrorTests {
    static func makeModel() -> NSManagedObjectModel {
        let name = attribute("firstName", .stringAttributeType, optional: false)
        let age = attribute("age", .integer16AttributeType)
        age.setValidationPredicates([NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["age < 0"])
        return model([entity("Person", [name, age])])
    }

    @Test("a missing value: object, key, value and words", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        let model = Self.makeModel()
        model.localizationDictionary = ["Property/firstName": "First Name"]
        try withStack(kind, model: model) { stack in
            let person = stack.context.make("Person")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSValidationMissingMandatoryPropertyError)
            expectEqual(error.localizedDescription, "First Name is a required value.")
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === person)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "firstName")
            #expect(error.userInfo[NSValidationValueErrorKey] is NSNull)
            #expect(error.userInfo[NSValidationPredicateErrorKey] == nil)
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [person])
        }
    }

    @Test("a broken rule: object, key, value, predicate and the localized warning", arguments: StoreKind.allCases)
    func broken(_ kind: StoreKind) throws {
        let model = Self.makeModel()
        model.localizationDictionary = ["ErrorString/age < 0": "Age must not be less than 0"]
        try withStack(kind, model: model) { stack in
            let person = stack.context.make("Person", nil, ["firstName": "Ann", "age": -1])
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, NSManagedObjectValidationError)
            expectEqual(error.localizedDescription, "Age must not be less than 0")
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === person)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "age")
            #expect(error.userInfo[NSValidationValueErrorKey] as? Int == -1)
            let predicate = try requireValue(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate)
            expectTrue(predicate.evaluate(with: 0))
            expectFalse(predicate.evaluate(with: -1))
        }
    }

    @Test("Swift sees the same through CocoaError", arguments: StoreKind.allCases)
    func cocoaError(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let person = stack.context.make("Person", nil, ["firstName": "Ann", "age": -1])
            do {
                try stack.context.save()
                Issue.record("saved")
            } catch let error as CocoaError {
                expectEqual(error.code, .managedObjectValidation)
                expectEqual(error.validationKey, "age")
                #expect(error.validationValue as? Int == -1)
                #expect(error.validationObject as? NSManagedObject === person)
                #expect(error.validationPredicate != nil)
                #expect(error.affectedObjects as? [NSManagedObject] == [person])
            }
        }
    }

    @Test("several errors: one for each, with all objects that are affected, each once", arguments: StoreKind.allCases)
    func several(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let one = stack.context.make("Person", nil, ["age": -1])
            let two = stack.context.make("Person")
            stack.context.make("Person", nil, ["firstName": "Ann"])
            let error = try requireValue(thrownError { try stack.context.save() } as? CocoaError)
            expectEqual(error.code, .validationMultipleErrors)
            let details = try requireValue(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            let told = details.map { "\($0.code) \($0.userInfo[NSValidationKeyErrorKey] ?? "")" }.sorted()
            expectEqual(told, ["1550 age", "1570 firstName", "1570 firstName"])
            #expect(error.affectedObjects as? [NSManagedObject] == [one, two])
        }
    }

    @Test(
        "a save that validation stops leaves context and store as they were, and is done once all is mended",
        arguments: StoreKind.allCases)
    func mended(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let context = stack.context
            let changed = context.make("Person", nil, ["firstName": "changed"])
            let deleted = context.make("Person", nil, ["firstName": "deleted"])
            try context.save()
            changed.setValue(-1, forKey: "age")
            context.delete(deleted)
            let new = context.make("Person")
            for _ in 0..<2 {
                expectEqual(thrownError { try context.save() }?.code, 1560)
                expectEqual(context.insertedObjects, [new])
                expectEqual(context.updatedObjects, [changed])
                expectEqual(context.deletedObjects, [deleted])
                expectTrue(new.objectID.isTemporaryID)
                #expect(changed.changedValues()["age"] as? Int == -1)
                try inFreshContext(stack) { fresh in
                    try expectEqual(Set(fresh.all("Person").map { $0.text("firstName") }), ["changed", "deleted"])
                }
            }
            changed.setValue(1, forKey: "age")
            expectEqual(thrownError { try context.save() }?.code, 1570)
            new.setValue("new", forKey: "firstName")
            try context.save()
            expectFalse(context.hasChanges)
            try inFreshContext(stack) { fresh in
                try expectEqual(Set(fresh.all("Person").map { $0.text("firstName") }), ["changed", "new"])
            }
        }
    }

    @Test("one invalid object keeps every store from being written")
    func severalStores() throws {
        let one = entity("One", [attribute("name", .stringAttributeType, optional: false)])
        let two = entity("Two", [attribute("name", .stringAttributeType, optional: false)])
        let model = model([one, two])
        model.setEntities([one], forConfigurationName: "First")
        model.setEntities([two], forConfigurationName: "Second")
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in ["First", "Second"] {
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.file(name + ".sqlite"))
        }
        func context() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let writer = context()
        try on(writer) {
            writer.make("One", "good")
            let bad = writer.make("Two")
            expectEqual(thrownError { try writer.save() }?.code, 1570)
            let reader = context()
            try on(reader) {
                try expectEmpty(reader.all("One"))
                try expectEmpty(reader.all("Two"))
            }
            bad.setValue("mended", forKey: "name")
            try writer.save()
            let after = context()
            try on(after) {
                try expectEqual(after.names("One"), ["good"])
                try expectEqual(after.names("Two"), ["mended"])
            }
        }
    }

    @Test("Names and texts of errors are those of the localization dictionary")
    func localized() throws {
        let person = entity("Person")
        let employee = entity("Employee")
        let age = attribute("age", .integer16AttributeType)
        age.setValidationPredicates([NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["age < 0"])
        person.properties = [attribute("firstName", .stringAttributeType, optional: false), age]
        person.subentities = [employee]
        let model = model([person, employee])
        model.localizationDictionary = [
            "Property/firstName/Entity/Person": "First Name",
            "ErrorString/age < 0": "Nobody is younger than a new-born.", "Entity/Person": "Human",
        ]
        try withStack(.memory, model: model) { stack in
            for name in ["Person", "Employee"] {
                let object = stack.context.make(name)
                expectEqual(
                    thrownError { try stack.context.save() }?.localizedDescription,
                    "First Name is a required value.")
                object.setValue("Ann", forKey: "firstName")
                object.setValue(-1, forKey: "age")
                expectEqual(
                    thrownError { try stack.context.save() }?.localizedDescription,
                    "Nobody is younger than a new-born.")
                stack.context.delete(object)
            }
        }
    }
}
