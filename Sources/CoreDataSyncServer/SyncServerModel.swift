// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The entities in which a server keeps what it knows of synced objects. They are merged with the model of the app, so
/// that one save writes both.
package enum SyncServerModel {
    /// The model of an app with the entities of the server.
    package static func merged(with model: NSManagedObjectModel) -> NSManagedObjectModel? {
        NSManagedObjectModel(byMerging: [model, make()])
    }

    private static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [
            entity(
                SyncRecord.self, "SyncObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("key", .integer64AttributeType), ("life", .integer64AttributeType),
                    ("isAlive", .booleanAttributeType), ("position", .integer64AttributeType),
                    ("stamps", .binaryDataAttributeType), ("target", .UUIDAttributeType),
                    ("edges", .binaryDataAttributeType),
                ], unique: ["identity"], indexed: [["position"], ["key", "entityName"]]),
            entity(
                SyncEdgeRecord.self, "SyncEdge",
                [
                    ("parent", .UUIDAttributeType), ("child", .UUIDAttributeType), ("isAdded", .booleanAttributeType),
                    ("position", .integer64AttributeType), ("time", .doubleAttributeType),
                ], indexed: [["position"]]),
            entity(
                SyncBlobRecord.self, "SyncBlob",
                [
                    ("identity", .UUIDAttributeType), ("name", .stringAttributeType),
                    ("digest", .binaryDataAttributeType), ("size", .integer64AttributeType),
                ], unique: ["identity", "name"], indexed: [["digest"]]),
            entity(
                nil, "SyncUpload",
                [
                    ("account", .stringAttributeType), ("digest", .binaryDataAttributeType),
                    ("size", .integer64AttributeType), ("offset", .integer64AttributeType),
                    ("end", .integer64AttributeType), ("time", .doubleAttributeType),
                    ("bytes", .binaryDataAttributeType),
                ], indexed: [["account", "digest", "end"]]),
            entity(
                SyncSaveRecord.self, "SyncSave",
                [("number", .integer64AttributeType), ("nonce", .integer64AttributeType)], unique: ["number"]),
            entity(
                SyncReplicaRecord.self, "SyncReplica",
                [
                    ("replica", .UUIDAttributeType), ("number", .integer64AttributeType),
                    ("answeredPush", .integer64AttributeType),
                ], unique: ["replica"]),
            entity(
                SyncAnswerRecord.self, "SyncAnswer",
                [
                    ("replica", .integer64AttributeType), ("push", .integer64AttributeType),
                    ("digest", .binaryDataAttributeType), ("body", .binaryDataAttributeType),
                    ("position", .integer64AttributeType), ("tries", .integer64AttributeType),
                ], unique: ["replica", "push"]),
            entity(
                SyncServerState.self, "SyncServerState",
                [
                    ("epoch", .integer64AttributeType), ("number", .integer64AttributeType),
                    ("nonce", .integer64AttributeType), ("replicaCount", .integer64AttributeType),
                    ("backup", .integer64AttributeType), ("token", .binaryDataAttributeType),
                    ("horizon", .integer64AttributeType), ("scopes", .integer64AttributeType),
                    ("transaction", .integer64AttributeType),
                ]),
        ]
        return model
    }

    private static func entity(
        _ type: NSManagedObject.Type?, _ name: String, _ attributes: [(String, NSAttributeType)], unique: [String] = [],
        indexed: [[String]] = []
    ) -> NSEntityDescription {
        let entity = NSEntityDescription.ofSync(type, name, attributes, indexed)
        for attribute in entity.attributesByName.values {
            attribute.isOptional = ["token", "target", "edges"].contains(attribute.name)
            if attribute.attributeType == .integer64AttributeType { attribute.defaultValue = 0 }
            if attribute.attributeType == .booleanAttributeType { attribute.defaultValue = true }
        }
        entity.userInfo = ["syncIgnore": "yes"]
        if !unique.isEmpty { entity.uniquenessConstraints = [unique] }
        return entity
    }
}
