@testable import CoreDataModel

/// A frozen model with one description of each class, and all ways to change it.
struct FrozenSample {
    let model = NSManagedObjectModel()
    let entity = CarModel.entity("Item")
    let attribute = CarModel.attribute("name", .string)
    let derived = NSDerivedAttributeDescription()
    let composite = NSCompositeAttributeDescription()
    let element = CarModel.attribute("height", .double)
    let relationship = NSRelationshipDescription()
    let fetched = NSFetchedPropertyDescription()
    let fetchedRequest = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    let index: NSFetchIndexDescription
    let indexElement: NSFetchIndexElementDescription
    let indexExpression = NSExpressionDescription()
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    let column = NSExpressionDescription()

    init() {
        derived.name = "total"
        derived.type = .integer64
        derived.derivationExpression = NSExpression(forKeyPath: "name")
        composite.name = "place"
        composite.elements = [element]
        relationship.name = "parent"
        relationship.maxCount = 1
        relationship.destinationEntity = entity
        fetched.name = "all"
        fetched.fetchRequest = fetchedRequest
        indexExpression.name = "lower"
        indexExpression.expression = NSExpression(format: "lowercase:(name)")
        indexElement = NSFetchIndexElementDescription(property: indexExpression, collationType: .binary)
        index = NSFetchIndexDescription(name: "byName", elements: [indexElement])
        column.name = "length"
        column.expression = NSExpression(forKeyPath: "name")
        template.propertiesToFetch = [column]
        entity.properties = [attribute, derived, composite, relationship, fetched]
        entity.indexes = [index]
        model.entities = [entity]
        model.setFetchRequestTemplate(template, forName: "All")
        model.freeze()
    }

    struct Change: Sendable {
        let name: String
        let key: String
        let make: @Sendable (FrozenSample) -> Void
    }

    private static func change(_ name: String, _ key: String? = nil, _ make: @escaping @Sendable (FrozenSample) -> Void)
        -> Change
    {
        Change(name: name, key: key ?? String(name.split(separator: ".").last ?? ""), make: make)
    }

    /// Every public setter and mutator of every description class.
    static let changes: [Change] =
        modelChanges + entityChanges + propertyChanges + attributeChanges + relationshipChanges + otherChanges

    private static let modelChanges: [Change] = [
        change("model.entities") { $0.model.entities = [] },
        change("model.setEntities", "configurations") { $0.model.setEntities([$0.entity], forConfigurationName: "C") },
        change("model.versionIdentifiers") { $0.model.versionIdentifiers = ["1"] },
        change("model.localizationDictionary") { $0.model.localizationDictionary = [:] },
        change("model.setFetchRequestTemplate", "fetchRequestTemplatesByName") {
            $0.model.setFetchRequestTemplate(nil, forName: "All")
        },
        change("model.setFetchRequestTemplate typed", "fetchRequestTemplatesByName") {
            $0.model.setFetchRequestTemplate(NSFetchRequest<NSDictionary>(entityName: "Item"), forName: "More")
        },
    ]

    private static let entityChanges: [Change] = [
        change("entity.name") { $0.entity.name = "x" },
        change("entity.managedObjectClassName") { $0.entity.managedObjectClassName = "X" },
        change("entity.isAbstract") { $0.entity.isAbstract = true },
        change("entity.properties") { $0.entity.properties = [] },
        change("entity.subentities") { $0.entity.subentities = [CarModel.entity("Child")] },
        change("entity.subentities of another", "superentity") { sample in
            let other = CarModel.entity("Parent")
            other.subentities = [sample.entity]
        },
        change("entity.versionHashModifier") { $0.entity.versionHashModifier = "x" },
        change("entity.renamingIdentifier") { $0.entity.renamingIdentifier = "x" },
        change("entity.indexes") { $0.entity.indexes = [] },
        change("entity.uniquenessConstraints") { $0.entity.uniquenessConstraints = [] },
        change("entity.compoundIndexes") { $0.entity.setLegacyCompoundIndexes([]) },
        change("entity.coreSpotlightDisplayNameExpression") {
            $0.entity.coreSpotlightDisplayNameExpression = NSExpression(forConstantValue: 1)
        },
    ]

    private static let propertyChanges: [Change] = [
        change("property.name") { $0.attribute.name = "x" },
        change("property.isOptional") { $0.attribute.isOptional = false },
        change("property.isTransient") { $0.attribute.isTransient = true },
        change("property.versionHashModifier") { $0.attribute.versionHashModifier = "x" },
        change("property.renamingIdentifier") { $0.attribute.renamingIdentifier = "x" },
        change("property.isIndexedBySpotlight") { $0.attribute.isIndexedBySpotlight = true },
        change("property.isStoredInExternalRecord") { $0.attribute.setStoredInExternalRecord(true) },
        change("property.isIndexed") { $0.attribute.setHasLegacyIndex(true) },
        change("property.setValidationPredicates", "validationPredicates") {
            $0.attribute.setValidationPredicates(nil, withValidationWarnings: nil)
        },
    ]

    private static let attributeChanges: [Change] = [
        change("attribute.attributeType") { $0.attribute.attributeType = .doubleAttributeType },
        change("attribute.type", "attributeType") { $0.attribute.type = .double },
        change("attribute.attributeValueClassName") { $0.attribute.attributeValueClassName = "X" },
        change("attribute.defaultValue") { $0.attribute.defaultValue = nil },
        change("attribute.valueTransformerName") { $0.attribute.valueTransformerName = "X" },
        change("attribute.allowsExternalBinaryDataStorage") { $0.attribute.allowsExternalBinaryDataStorage = true },
        change("attribute.preservesValueInHistoryOnDeletion") { $0.attribute.preservesValueInHistoryOnDeletion = true },
        change("attribute.allowsCloudEncryption") { $0.attribute.allowsCloudEncryption = true },
        change("derived.derivationExpression") { $0.derived.derivationExpression = nil },
        change("composite.elements") { $0.composite.elements = [] },
        change("composite element.defaultValue") { $0.element.defaultValue = 1.0 },
    ]

    private static let relationshipChanges: [Change] = [
        change("relationship.destinationEntity") { $0.relationship.destinationEntity = $0.entity },
        change("relationship.inverseRelationship") { $0.relationship.inverseRelationship = nil },
        change("relationship.maxCount") { $0.relationship.maxCount = 2 },
        change("relationship.minCount") { $0.relationship.minCount = 1 },
        change("relationship.deleteRule") { $0.relationship.deleteRule = .denyDeleteRule },
        change("relationship.isOrdered") { $0.relationship.isOrdered = true },
        change("fetched.fetchRequest") { $0.fetched.fetchRequest = nil },
    ]

    private static let otherChanges: [Change] = [
        change("index.name") { $0.index.name = "x" },
        change("index.elements") { $0.index.elements = [] },
        change("index.partialIndexPredicate") { $0.index.partialIndexPredicate = nil },
        change("index element.collationType") { $0.indexElement.collationType = .rTree },
        change("index element.isAscending") { $0.indexElement.isAscending = false },
        change("index expression.expression") { $0.indexExpression.expression = nil },
        change("index expression.expressionResultType") {
            $0.indexExpression.expressionResultType = .stringAttributeType
        },
        change("column.expression") { $0.column.expression = nil },
        change("column.resultType", "expressionResultType") { $0.column.resultType = .string },
    ]

    /// Every public setter of a request. The setters of a template and of a fetched property's request have their own
    /// message.
    static let requestChanges: [@Sendable (NSFetchRequest<any NSFetchRequestResult>) -> Void] = [
        { $0.entity = nil }, { $0.predicate = nil }, { $0.includesSubentities = false },
        { $0.includesPendingChanges = false },
        { $0.sortDescriptors = nil }, { $0.fetchLimit = 1 }, { $0.fetchOffset = 1 },
        { $0.resultType = .countResultType }, { $0.fetchBatchSize = 1 },
        { $0.includesPropertyValues = false }, { $0.returnsObjectsAsFaults = false },
        { $0.returnsDistinctResults = true },
        { $0.shouldRefreshRefetchedObjects = true }, { $0.relationshipKeyPathsForPrefetching = nil },
        { $0.propertiesToFetch = nil },
        { $0.propertiesToGroupBy = nil }, { $0.havingPredicate = nil },
    ]
}
