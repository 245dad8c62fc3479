// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// The model of the store beside an app's store in which a replica keeps what it knows of the server.
enum SyncSideModel {
    /// The entity of the rows with the identities that CloudKit's records give.
    static let recordedName = "RecordedIdentity"

    // Models of open stores never change.
    nonisolated(unsafe) static let model: NSManagedObjectModel = {
        let push = NSEntityDescription.ofSync(
            SyncOutgoingPush.self, "OutgoingPush",
            [
                ("number", .integer64AttributeType), ("answer", .binaryDataAttributeType),
                ("answerEpoch", .integer64AttributeType), ("answerNumber", .integer64AttributeType),
                ("answerNonce", .integer64AttributeType), ("attempts", .integer64AttributeType),
                ("newestBase", .integer64AttributeType), ("endTime", .doubleAttributeType),
                ("replica", .UUIDAttributeType), ("model", .stringAttributeType),
            ], [])
        let page = NSEntityDescription.ofSync(
            SyncIncomingPage.self, "IncomingPage",
            [("sequence", .integer64AttributeType), ("head", .binaryDataAttributeType)], [])
        let plan = NSEntityDescription.ofSync(
            SyncPlanRecord.self, "ImportPlan",
            [("head", .binaryDataAttributeType), ("isSaved", .booleanAttributeType)], [])
        let blob = [("digest", NSAttributeType.binaryDataAttributeType), ("size", .integer64AttributeType)]
        let outgoing = NSEntityDescription.ofSync(
            SyncOutgoingBlob.self, "OutgoingBlob",
            blob + [("bytes", .binaryDataAttributeType)], [["digest"]])
        let problem = NSEntityDescription.ofSync(
            SyncProblemRecord.self, "Problem",
            [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)], [])
        for (owner, name) in [(push, "push"), (plan, "plan"), (problem, "problem")] {
            relate(owner, "blobs", toMany: true, to: outgoing, name)
        }
        let part = NSEntityDescription.ofSync(
            nil, "IncomingPart",
            blob + [
                ("offset", .integer64AttributeType), ("end", .integer64AttributeType),
                ("bytes", .binaryDataAttributeType),
            ], [["digest", "end"]])
        outgoing.attributesByName["bytes"]?.allowsExternalBinaryDataStorage = true
        let bytes = NSEntityDescription.ofSync(
            SyncStoredBytes.self, "StoredBytes", [("data", .binaryDataAttributeType)], [])
        for name in ["body", "former", "corrections"] { relate(push, name, to: bytes) }
        relate(page, "body", to: bytes)
        relate(plan, "body", to: bytes)
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
                    ("firstStart", .binaryDataAttributeType), ("scopes", .integer64AttributeType),
                    ("newestTransaction", .integer64AttributeType), ("newestTime", .doubleAttributeType),
                    ("unseenImports", .integer64AttributeType), ("owner", .UUIDAttributeType),
                    ("ownedUntil", .doubleAttributeType), ("model", .stringAttributeType),
                    ("storeFile", .stringAttributeType), ("isPrepared", .booleanAttributeType),
                    ("names", .binaryDataAttributeType), ("store", .stringAttributeType),
                ], []),
            NSEntityDescription.ofSync(
                SyncKnownObject.self, "KnownObject",
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("key", .integer64AttributeType), ("life", .integer64AttributeType),
                    ("merged", .binaryDataAttributeType), ("digest", .integer64AttributeType),
                    ("blobs", .binaryDataAttributeType),
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
                nil, recordedName,
                [
                    ("identity", .UUIDAttributeType), ("entityName", .stringAttributeType),
                    ("key", .integer64AttributeType),
                ], []),
            push, page, plan, bytes, outgoing, part,
            NSEntityDescription.ofSync(
                SyncLaterBlob.self, "LaterBlob",
                [
                    ("identity", .UUIDAttributeType), ("name", .stringAttributeType),
                    ("digest", .binaryDataAttributeType),
                ], [["identity"]]),
            NSEntityDescription.ofSync(
                SyncHeldState.self, "HeldState",
                [("identity", .UUIDAttributeType), ("body", .binaryDataAttributeType), ("text", .stringAttributeType)],
                [["identity"]]),
            problem,
        ]
        return model
    }()

    /// Adds a relationship to rows that go with their owner.
    private static func relate(
        _ owner: NSEntityDescription, _ name: String, toMany: Bool = false, to rows: NSEntityDescription,
        _ inverseName: String? = nil
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (relationship.name, relationship.destinationEntity) = (name, rows)
        (inverse.name, inverse.destinationEntity) = (inverseName ?? name + (owner.name ?? ""), owner)
        (relationship.maxCount, inverse.maxCount) = (toMany ? 0 : 1, 1)
        (relationship.deleteRule, inverse.deleteRule) = (.cascadeDeleteRule, .nullifyDeleteRule)
        (relationship.inverseRelationship, inverse.inverseRelationship) = (inverse, relationship)
        owner.properties.append(relationship)
        rows.properties.append(inverse)
    }
}
