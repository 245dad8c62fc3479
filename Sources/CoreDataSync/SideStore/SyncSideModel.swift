// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The model of the store beside an app's store in which a replica keeps what it knows of the server.
enum SyncSideModel {
    // Models of open stores never change.
    nonisolated(unsafe) static let model: NSManagedObjectModel = {
        let model = NSManagedObjectModel()
        model.entities = [
            entity(
                SyncReplicaState.self, "ReplicaState",
                [
                    ("replica", .UUIDAttributeType), ("account", .stringAttributeType),
                    ("epoch", .integer64AttributeType),
                    ("number", .integer64AttributeType), ("nonce", .integer64AttributeType),
                    ("token", .binaryDataAttributeType), ("lastPush", .integer64AttributeType),
                    ("lastGroup", .integer64AttributeType), ("timeOffset", .doubleAttributeType),
                    ("positions", .binaryDataAttributeType), ("common", .integer64AttributeType),
                    ("needsSession", .booleanAttributeType), ("isCopied", .booleanAttributeType),
                    ("isRestored", .booleanAttributeType), ("isBegun", .booleanAttributeType),
                    ("firstStart", .binaryDataAttributeType),
                    ("newestTransaction", .integer64AttributeType), ("newestTime", .doubleAttributeType),
                    ("unseenImports", .integer64AttributeType), ("owner", .UUIDAttributeType),
                    ("ownedUntil", .doubleAttributeType),
                ], []),
            entity(
                SyncKnownObject.self, "KnownObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("key", .integer64AttributeType), ("life", .integer64AttributeType),
                    ("merged", .binaryDataAttributeType), ("digest", .integer64AttributeType),
                ], [["identity"], ["key", "entityName"]]),
            entity(
                SyncPendingObject.self, "PendingObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("kind", .stringAttributeType), ("group", .integer64AttributeType),
                    ("push", .integer64AttributeType), ("time", .doubleAttributeType),
                    ("bases", .binaryDataAttributeType),
                ], [["identity"], ["push", "group"]]),
            entity(
                SyncOutgoingPush.self, "OutgoingPush",
                [
                    ("number", .integer64AttributeType), ("body", .binaryDataAttributeType),
                    ("answer", .binaryDataAttributeType), ("former", .binaryDataAttributeType),
                    ("corrections", .binaryDataAttributeType),
                    ("attempts", .integer64AttributeType), ("newestBase", .integer64AttributeType),
                    ("endTime", .doubleAttributeType), ("replica", .UUIDAttributeType),
                ], []),
            entity(
                SyncIncomingPage.self, "IncomingPage",
                [
                    ("sequence", .integer64AttributeType), ("head", .binaryDataAttributeType),
                    ("body", .binaryDataAttributeType),
                ], []),
            entity(
                SyncPlanRecord.self, "ImportPlan",
                [("body", .binaryDataAttributeType), ("isSaved", .booleanAttributeType)], []),
            entity(
                SyncHeldState.self, "HeldState",
                [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)],
                [["identity"]]),
            entity(
                SyncProblemRecord.self, "Problem",
                [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)],
                []),
        ]
        return model
    }()

    private static func entity(
        _ type: NSManagedObject.Type, _ name: String, _ attributes: [(String, NSAttributeType)], _ indexes: [[String]]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        entity.indexes = indexes.map { names in
            NSFetchIndexDescription(
                name: "by" + names.joined(separator: "And"),
                elements: names.compactMap { name in
                    entity.propertiesByName[name].map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                })
        }
        return entity
    }
}
