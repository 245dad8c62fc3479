// SPDX-License-Identifier: Apache-2.0

/// The model of the history itself: the entities for which a request on the history can have a fetch request.
enum HistoryModel {
    static var transaction: NSEntityDescription { entities.transaction }
    static var change: NSEntityDescription { entities.change }

    /// The model is immutable, hence Sendable.
    private struct Entities: @unchecked Sendable {
        let model: NSManagedObjectModel
        let transaction: NSEntityDescription
        let change: NSEntityDescription
    }

    private static let entities: Entities = {
        let transaction = entity(
            "TRANSACTION",
            [
                ("transactionNumber", .integer64AttributeType), ("timestamp", .dateAttributeType),
                ("author", .stringAttributeType), ("contextName", .stringAttributeType),
                ("bundleID", .stringAttributeType), ("processID", .stringAttributeType),
                ("storeID", .stringAttributeType), ("token", .undefinedAttributeType),
            ])
        let change = entity(
            "CHANGE",
            [
                ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
                ("changedObjectID", .objectIDAttributeType), ("changedEntity", .stringAttributeType),
            ])
        let changes = NSRelationshipDescription()
        changes.name = "changes"
        changes.destinationEntity = change
        let owner = NSRelationshipDescription()
        owner.name = "transaction"
        owner.destinationEntity = transaction
        owner.maxCount = 1
        changes.inverseRelationship = owner
        owner.inverseRelationship = changes
        transaction.properties.append(changes)
        change.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [transaction, change]
        _ = ModelLayout.of(model)
        return Entities(model: model, transaction: transaction, change: change)
    }()

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    static func fetchRequest(_ entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }

    /// Stops the program: an object of the history has no value for a key.
    static func undefinedKey(_ key: String, of object: NSObject) -> Never {
        programmingError(
            """
            [<\(type(of: object))> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \
            \"\(key)\".
            """,
            remedy: "Use the name of one of its properties.")
    }
}
