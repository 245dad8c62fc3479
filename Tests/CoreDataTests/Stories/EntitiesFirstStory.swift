import CoreData
import Testing

@Suite("Story 5: entities first, relationships later")
struct EntitiesFirstStory {
    private static func model() throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [StoryBankInfo.self, StoryBankDetails.self].map { (type: NSManagedObject.Type) in
            let entity = NSEntityDescription()
            entity.name = type == StoryBankInfo.self ? "FailedBankInfo" : "FailedBankDetails"
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let entities = model.entitiesByName
        let info = try requireValue(entities["FailedBankInfo"])
        let details = try requireValue(entities["FailedBankDetails"])
        let toDetails = toOne("details", details, rule: .cascadeDeleteRule)
        let toInfo = toOne("info", info)
        toDetails.isOrdered = false
        toDetails.minCount = 1
        info.properties =
            ["name", "city", "state"].map { attribute($0, .stringAttributeType, optional: false) } + [toDetails]
        details.properties = [
            attribute("zip", .integer32AttributeType), attribute("closeDate", .dateAttributeType),
            attribute("updateDate", .dateAttributeType), toInfo,
        ]
        // Inverses last.
        pair(toDetails, toInfo)
        return model
    }

    @Test("Each is the other's destination and inverse")
    func wiring() throws {
        let model = try Self.model()
        let details = model.entitiesByName["FailedBankInfo"]?.relationshipsByName["details"]
        let info = model.entitiesByName["FailedBankDetails"]?.relationshipsByName["info"]
        #expect(details?.destinationEntity === model.entitiesByName["FailedBankDetails"])
        #expect(details?.inverseRelationship === info)
        #expect(info?.destinationEntity === model.entitiesByName["FailedBankInfo"])
        #expect(info?.inverseRelationship === details)
        expectEqual(details?.isToMany, false)
        expectEqual(details?.deleteRule, .cascadeDeleteRule)
        expectEqual(info?.deleteRule, .nullifyDeleteRule)
    }

    @Test(
        "Banks are inserted with details, saved, listed by name, and take their details with them",
        arguments: StoreKind.allCases)
    func use(_ kind: StoreKind) throws {
        try withStack(kind, model: try Self.model()) { stack in
            for (name, zip) in [("Test Bank", 12345), ("Old Savings", 67801)] {
                let info = StoryBankInfo(context: stack.context)
                let details = StoryBankDetails(context: stack.context)
                info.setValuesForKeys(["name": name, "city": "Testville", "state": "Testland"])
                details.setValuesForKeys(["zip": zip, "closeDate": Date(), "updateDate": Date(), "info": info])
                #expect(info.object("details") === details)
            }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<StoryBankInfo>(entityName: "FailedBankInfo")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let banks = try context.fetch(request)
                expectEqual(banks.map { $0.text("name") }, ["Old Savings", "Test Bank"])
                expectEqual(banks.map { ($0.value(forKeyPath: "details.zip") as? NSNumber)?.intValue }, [67801, 12345])
                context.delete(banks[0])
                try context.save()
                try expectEqual(
                    context.fetch(NSFetchRequest<StoryBankDetails>(entityName: "FailedBankDetails")).map {
                        $0.number("zip")
                    }, [12345])
            }
        }
    }

    @Test("A bank without name is refused", arguments: StoreKind.allCases)
    func required(_ kind: StoreKind) throws {
        try withStack(kind, model: try Self.model()) { stack in
            let info = StoryBankInfo(context: stack.context)
            info.setValuesForKeys(["city": "Testville", "state": "Testland"])
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 1570)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
        }
    }
}

final class StoryBankInfo: NSManagedObject {}
final class StoryBankDetails: NSManagedObject {}
