import CoreDataPredicates

@testable import CoreDataModel

/// A model with most features of models.
enum LibraryModel {
    static func make() -> NSManagedObjectModel {
        let item = entity("Item", className: "Item", isAbstract: true)
        let book = entity("Book", className: ".Book")
        let author = entity("Author", className: "Library.Author")
        let shelf = entity("Shelf", className: nil)

        item.properties = itemAttributes()
        let authors = relationship("authors", to: author, maximum: 0, rule: .denyDeleteRule)
        authors.isOrdered = true
        let books = relationship("books", to: book, maximum: 20, rule: .cascadeDeleteRule)
        authors.inverseRelationship = books
        books.inverseRelationship = authors
        let sequel = relationship("related", to: book, maximum: 0, rule: .nullifyDeleteRule)
        sequel.inverseRelationship = sequel
        let place = relationship("place", to: shelf, maximum: 1, rule: .noActionDeleteRule)
        book.properties = [
            attribute("pages", .integer32AttributeType, default: NSNumber(value: 1)), authors, sequel, place,
        ]
        author.properties =
            [attribute("name", .stringAttributeType, default: "$null"), books] + [bookCount(), recent(book)]
        shelf.properties = [attribute("isbn", .stringAttributeType), attribute("row", .integer16AttributeType)]
        item.subentities = [book]

        let model = NSManagedObjectModel()
        model.entities = [item, book, author, shelf]
        finish(item: item, author: author, shelf: shelf)
        model.versionIdentifiers = ["2.0"]
        model.setEntities([book, author], forConfigurationName: "Cloud")
        model.setFetchRequestTemplate(template(author), forName: "byName")
        return model
    }

    private static func itemAttributes() -> [NSPropertyDescription] {
        let title = attribute("title", .stringAttributeType, default: "Ünknown")
        title.isOptional = false
        title.setHasLegacyIndex(true)
        title.versionHashModifier = "2"
        title.renamingIdentifier = "name"
        title.userInfo = ["note": "kept", "level": NSNumber(value: 3)]
        let price = attribute(
            "price", .decimalAttributeType, default: NSDecimalNumber(string: "-12345678901234567890.125"))
        let weight = attribute("weight", .floatAttributeType, default: NSNumber(value: Float(0.1)))
        let height = attribute("height", .doubleAttributeType, default: NSNumber(value: 1.5))
        let isLent = attribute("isLent", .booleanAttributeType, default: NSNumber(value: true))
        let added = attribute("added", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 1000.5))
        let key = attribute(
            "key", .UUIDAttributeType, default: UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let link = attribute("link", .URIAttributeType, default: URL(string: "https://example.org/a?b#c"))
        let cover = attribute("cover", .binaryDataAttributeType, default: Data([1, 2, 3]))
        cover.allowsExternalBinaryDataStorage = true
        cover.preservesValueInHistoryOnDeletion = true
        let tags = attribute("tags", .transformableAttributeType)
        tags.valueTransformerName = "TagTransformer"
        tags.attributeValueClassName = "[String]"
        tags.allowsCloudEncryption = true
        let draft = attribute("draft", .undefinedAttributeType)
        draft.isTransient = true
        draft.isIndexedBySpotlight = true
        let length = attribute("stock", .integer64AttributeType, default: NSNumber(value: Int64.min))
        length.setValidation(
            predicates: [comparison(.greaterThanOrEqualTo, 0), comparison(.lessThanOrEqualTo, 99)],
            warnings: [NSNumber(value: 1620), "too many"])
        return [title, price, weight, height, isLent, added, key, link, cover, tags, draft, length]
    }

    private static func finish(item: NSEntityDescription, author: NSEntityDescription, shelf: NSEntityDescription) {
        item.userInfo = ["owner": "tests"]
        item.versionHashModifier = "x"
        shelf.renamingIdentifier = "Board"
        shelf.uniquenessConstraints = [["row", "isbn"], ["isbn"]]
        shelf.setLegacyCompoundIndexes([["row", "isbn"]])
        let byName = NSFetchIndexDescription(
            name: "byName",
            elements: [NSFetchIndexElementDescription(propertyName: "name", collationType: .binary)])
        byName.elements[0].isAscending = false
        byName.partialIndexPredicate = comparison(.notEqualTo, nil, on: NSExpression(forKeyPath: "name"))
        let expression = NSExpressionDescription()
        expression.name = "expression1"
        expression.expression = NSExpression.expressionForEvaluatedObject()
        expression.expressionResultType = .objectIDAttributeType
        let byObject = NSFetchIndexDescription(
            name: "byObject",
            elements: [
                NSFetchIndexElementDescription(property: expression, collationType: .rTree),
                NSFetchIndexElementDescription(propertyName: "name", collationType: .binary),
            ])
        author.indexes = [byName, byObject]
    }

    static func entity(_ name: String, className: String?, isAbstract: Bool = false) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = className
        entity.isAbstract = isAbstract
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType, default value: Any? = nil) -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        return attribute
    }

    static func relationship(
        _ name: String, to entity: NSEntityDescription, maximum: Int, rule: NSDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = maximum
        relationship.deleteRule = rule
        return relationship
    }

    static func comparison(
        _ type: NSComparisonPredicate.Operator, _ value: Any?,
        on left: NSExpression = .expressionForEvaluatedObject()
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: type)
    }

    private static func bookCount() -> NSDerivedAttributeDescription {
        let count = NSDerivedAttributeDescription()
        count.name = "bookTitle"
        count.attributeType = .stringAttributeType
        count.derivationExpression = NSExpression(forKeyPath: "books.title")
        count.filteringPredicate = comparison(.notEqualTo, nil, on: NSExpression(forKeyPath: "books"))
        return count
    }

    private static func recent(_ book: NSEntityDescription) -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.name = "recent"
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = book
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "authors"),
            rightExpression: NSExpression(forVariable: "FETCH_SOURCE"),
            modifier: .any, type: .equalTo, options: [])
        property.fetchRequest = request
        return property
    }

    private static func template(_ author: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = author
        request.predicate = comparison(.beginsWith, "a", on: NSExpression(forKeyPath: "name"))
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false, selector: "localizedStandardCompare:"),
            NSSortDescriptor(key: "books.@count", ascending: true),
        ]
        request.fetchLimit = 10
        request.fetchOffset = 5
        request.fetchBatchSize = 20
        request.includesSubentities = false
        request.returnsDistinctResults = true
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        request.relationshipKeyPathsForPrefetching = ["books"]
        return request
    }
}
