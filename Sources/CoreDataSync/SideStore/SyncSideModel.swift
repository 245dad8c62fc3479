// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// The model of the store beside an app's store in which a replica keeps what it knows of the server.
enum SyncSideModel {
    // Models of open stores never change.
    nonisolated(unsafe) static let model: NSManagedObjectModel = {
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription.ofSync(
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
            NSEntityDescription.ofSync(
                SyncKnownObject.self, "KnownObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("key", .integer64AttributeType), ("life", .integer64AttributeType),
                    ("merged", .binaryDataAttributeType), ("digest", .integer64AttributeType),
                ], [["identity"], ["key", "entityName"]]),
            NSEntityDescription.ofSync(
                SyncPendingObject.self, "PendingObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("kind", .stringAttributeType), ("group", .integer64AttributeType),
                    ("push", .integer64AttributeType), ("time", .doubleAttributeType),
                    ("bases", .binaryDataAttributeType),
                ], [["identity"], ["push", "group"]]),
            NSEntityDescription.ofSync(
                SyncOutgoingPush.self, "OutgoingPush",
                [
                    ("number", .integer64AttributeType), ("body", .binaryDataAttributeType),
                    ("answer", .binaryDataAttributeType), ("former", .binaryDataAttributeType),
                    ("corrections", .binaryDataAttributeType),
                    ("attempts", .integer64AttributeType), ("newestBase", .integer64AttributeType),
                    ("endTime", .doubleAttributeType), ("replica", .UUIDAttributeType),
                ], []),
            NSEntityDescription.ofSync(
                SyncIncomingPage.self, "IncomingPage",
                [
                    ("sequence", .integer64AttributeType), ("head", .binaryDataAttributeType),
                    ("body", .binaryDataAttributeType),
                ], []),
            NSEntityDescription.ofSync(
                SyncPlanRecord.self, "ImportPlan",
                [
                    ("head", .binaryDataAttributeType), ("body", .binaryDataAttributeType),
                    ("isSaved", .booleanAttributeType),
                ], []),
            NSEntityDescription.ofSync(
                SyncHeldState.self, "HeldState",
                [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)],
                [["identity"]]),
            NSEntityDescription.ofSync(
                SyncProblemRecord.self, "Problem",
                [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)],
                []),
        ]
        return model
    }()
}
