import Testing

@testable import CoreDataModel

@Suite("Descriptions made in code")
struct DescriptionTests {
    @Test("Defaults are Apple's")
    func defaults() {
        let entity = NSEntityDescription()
        expectEqual(entity.managedObjectClassName, "NSManagedObject")
        expectFalse(entity.isAbstract)
        expectEqual(entity.name, nil)
        let attribute = NSAttributeDescription()
        expectTrue(attribute.isOptional)
        expectFalse(attribute.isTransient)
        expectEqual(attribute.attributeType, .undefinedAttributeType)
        #expect(attribute.defaultValue == nil)
        expectEmpty(attribute.validationPredicates)
        let relationship = NSRelationshipDescription()
        expectEqual(relationship.deleteRule, .nullifyDeleteRule)
        expectEqual(relationship.minCount, 0)
        expectFalse(relationship.isOrdered)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "A")
        expectEqual(request.entityName, "A")
        expectEqual(request.entity, nil)
        expectEqual(request.fetchLimit, 0)
        expectTrue(request.includesSubentities)
        expectTrue(request.includesPropertyValues)
        expectTrue(request.includesPendingChanges)
        expectTrue(request.returnsObjectsAsFaults)
        expectFalse(request.returnsDistinctResults)
        expectFalse(request.shouldRefreshRefetchedObjects)
        expectEqual(request.resultType, .managedObjectResultType)
        expectEqual(request.requestType, .fetchRequestType)
    }

    @Test("The type determines the value class")
    func valueClasses() {
        let attribute = NSAttributeDescription()
        attribute.type = .integer32
        expectEqual(attribute.attributeValueClassName, "NSNumber")
        attribute.attributeType = .UUIDAttributeType
        expectEqual(attribute.attributeValueClassName, "NSUUID")
        attribute.type = .transformable
        expectEqual(attribute.attributeValueClassName, nil)
        attribute.attributeValueClassName = "Color"
        expectEqual(attribute.attributeValueClassName, "Color")
    }

    @Test("Subentities inherit properties; assigning all of them back changes nothing")
    func inheritance() throws {
        let model = CarModel.make()
        let sport = try requireValue(model.entitiesByName["ExpensiveSportCar"])
        expectEqual(sport.properties.count, 8)
        expectEqual(sport.ownProperties.map(\.name), ["isLimitedEdition"])
        #expect(sport.superentity?.superentity === model.entitiesByName["Car"])
        #expect(sport.rootEntity === model.entitiesByName["Car"])
        sport.properties = sport.properties
        expectEqual(sport.ownProperties.map(\.name), ["isLimitedEdition"])
        #expect(sport.attributesByName["maker"] === model.entitiesByName["Car"]?.attributesByName["maker"])
    }

    @Test("A renaming identifier equals the name until it is set")
    func renaming() {
        let entity = CarModel.entity("A")
        expectEqual(entity.renamingIdentifier, "A")
        expectEqual(entity.explicitRenamingIdentifier, nil)
        entity.renamingIdentifier = "B"
        expectEqual(entity.renamingIdentifier, "B")
    }

    @Test("Entities first, relationships later")
    func storyFive() throws {
        let info = CarModel.entity("FailedBankInfo")
        let details = CarModel.entity("FailedBankDetails")
        let model = NSManagedObjectModel()
        model.entities = [info, details]
        let entities = model.entitiesByName
        let toDetails = NSRelationshipDescription()
        toDetails.name = "details"
        toDetails.destinationEntity = entities["FailedBankDetails"]
        toDetails.minCount = 1
        toDetails.maxCount = 1
        toDetails.deleteRule = .cascadeDeleteRule
        let toInfo = NSRelationshipDescription()
        toInfo.name = "info"
        toInfo.destinationEntity = entities["FailedBankInfo"]
        toInfo.maxCount = 1
        entities["FailedBankInfo"]?.properties = [CarModel.attribute("name", .string, optional: false), toDetails]
        entities["FailedBankDetails"]?.properties = [CarModel.attribute("zip", .integer32), toInfo]
        toDetails.inverseRelationship = toInfo
        toInfo.inverseRelationship = toDetails
        model.freeze()
        #expect(info.relationshipsByName["details"]?.inverseRelationship?.entity === details)
    }

    @Test("Configurations contain exactly their members")
    func configurations() throws {
        let model = CarModel.make()
        model.setEntities([try requireValue(model.entitiesByName["SportCar"])], forConfigurationName: "Fast")
        expectEqual(model.configurations, ["Fast"])
        expectEqual(model.entities(forConfigurationName: "Fast")?.map(\.name), ["SportCar"])
        expectEqual(model.entities(forConfigurationName: nil)?.count, 4)
        expectEqual(model.entities(forConfigurationName: "Slow"), nil)
        let copy = try requireValue(model.copy() as? NSManagedObjectModel)
        #expect(copy.entities(forConfigurationName: "Fast")?.first === copy.entitiesByName["SportCar"])
    }

    @Test("A validation predicate and its warning can be localized")
    func storyTwo() {
        let processID = CarModel.attribute("processID", .integer32, optional: false)
        processID.defaultValue = 0
        processID.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["Process ID < 0"])
        let run = CarModel.entity("Run")
        run.properties = [processID]
        let model = NSManagedObjectModel()
        model.entities = [run]
        model.localizationDictionary = [
            "ErrorString/Process ID < 0": "Process ID must not be less than 0",
            "Property/processID/Entity/Run": "Process ID",
        ]
        model.freeze()
        #expect(processID.validationWarnings.first as? String == "Process ID < 0")
        expectEqual(model.localizedErrorText("Process ID < 0"), "Process ID must not be less than 0")
        expectEqual(model.localizedName(of: processID, in: run), "Process ID")
    }

    @Test("A request from a template has values for its variables; the template doesn't change")
    func templates() throws {
        let model = CarModel.make()
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = model.entitiesByName["Car"]
        request.predicate = NSPredicate(format: "(maker LIKE[cd] $MAKER) AND (owner.lastName == $NAME)")
        model.setFetchRequestTemplate(request, forName: "Search")
        model.freeze()
        let filled = try requireValue(
            model.fetchRequestFromTemplate(
                withName: "Search", substitutionVariables: ["MAKER": "V*", "NAME": NSNull()]))
        #expect(filled.entity === model.entitiesByName["Car"])
        expectEqual(filled.predicate?.predicateText.contains("\"V*\""), true)
        expectEqual(filled.predicate?.predicateText.contains("$"), false)
        filled.fetchLimit = 3
        expectEqual(model.fetchRequestTemplate(forName: "Search")?.predicate?.predicateText.contains("$MAKER"), true)
        let copy = try #require(
            model.fetchRequestTemplate(forName: "Search")?.copy() as? NSFetchRequest<any NSFetchRequestResult>)
        copy.fetchLimit = 7
        expectEqual(model.fetchRequestFromTemplate(withName: "None", substitutionVariables: [:]), nil)
    }

    @Test("A copied entity finds its parent and destinations by name in a model")
    func copiesWireUp() throws {
        let source = CarModel.make()
        let model = NSManagedObjectModel()
        model.entities = source.entities.reversed().compactMap { $0.copy() as? NSEntityDescription }
        #expect(model.firstProblem() == nil)
        expectEqual(model.entityVersionHashesByName, source.entityVersionHashesByName)
        #expect(model.entitiesByName["SportCar"]?.superentity === model.entitiesByName["Car"])
        #expect(
            model.entitiesByName["Car"]?.relationshipsByName["owner"]?.destinationEntity
                === model.entitiesByName["Person"])
    }
}
