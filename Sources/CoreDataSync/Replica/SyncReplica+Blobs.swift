// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A large value that an import needs, and an object of the server that has it.
struct SyncNeededBlob: Hashable {
    let object: UUID
    let property: String
    let blob: SyncBlob
}

/// The values of a push that the server has asked for.
struct SyncAskedBlobs {
    let push: Int64
    var blobs: [SyncBlob]
    /// The number of bytes that the server has of the first one.
    var received: Int64 = 0
}

/// Large values on their way.
///
/// A push waits on the server until its values are there; an import waits for those of its objects, unless they come
/// later. What was asked for is in memory: after a start, the push and the import ask again. What has arrived is in the
/// side store.
extension SyncReplica {
    // MARK: To the server

    /// The next part that the server needs for a push; nil if it needs none.
    func uploadRequest(_ push: SyncOutgoingPush) throws -> SyncUploadRequest? {
        guard let asked = askedBlobs, asked.push == push.number, let blob = asked.blobs.first else { return nil }
        if sentBlob?.blob != blob { sentBlob = try outgoing(blob).map { (blob, $0) } }
        guard let data = sentBlob?.data else {
            askedBlobs = nil
            throw SyncFailure(
                .unavailable, "The side store has lost a value of \(blob.size) bytes that the server needs.")
        }
        let bytes = Data(data.dropFirst(Int(clamping: asked.received)).prefix(settings.partBytes))
        return SyncUploadRequest(
            account: try state().account, blob: blob, offset: asked.received, bytes: bytes, model: schema.version)
    }

    /// Takes the names of the values that the server needs for a push. It isn't an attempt of the push: the server has
    /// not tried to save the groups.
    func takeNeeds(_ blobs: [SyncBlob], forPush number: Int64, _ request: SyncPushRequest) throws {
        guard let push = try outgoing(), push.number == number, push.body == request.body,
            push.answerPosition == nil, push.attempts == Int64(request.attempt)
        else { return }
        push.attempts = max(0, push.attempts - 1)
        try side.save()
        askedBlobs = SyncAskedBlobs(push: number, blobs: blobs)
    }

    func take(received: Int64, of request: SyncUploadRequest) throws {
        guard var asked = askedBlobs, asked.blobs.first == request.blob, asked.received == request.offset else {
            return
        }
        asked.received = min(max(received, 0), request.blob.size)
        if received >= request.blob.size {
            asked.blobs.removeFirst()
            asked.received = 0
            sentBlob = nil
        }
        askedBlobs = asked
    }

    // MARK: From the server

    /// The request for a part of the first value that an import needs; nil if it needs none.
    func neededRequest() throws -> SyncBlobRequest? {
        try neededBlobs.first.map { try request($0) }
    }

    private func request(_ needed: SyncNeededBlob) throws -> SyncBlobRequest {
        SyncBlobRequest(
            account: try state().account, object: needed.object, property: needed.property, blob: needed.blob,
            offset: try parts(needed.blob).received, model: schema.version)
    }

    /// The request for a part of a value that an object waits for; nil if none does. Ask for it when there is nothing
    /// to push and to pull.
    package func laterRequest() throws -> SyncRequest? {
        try onQueue {
            try noteModel()
            try drainHistory()
            while let needed = try nextLaterBlob() {
                let request = try request(needed)
                if request.offset < request.blob.size { return .blob(request) }
                // Another object has brought the value, or the save was interrupted.
                try importLater(needed)
                if try nextLaterBlob() == needed { missedBlobs[needed] = 1 }
            }
            return nil
        }
    }

    private func nextLaterBlob() throws -> SyncNeededBlob? {
        let state = try state()
        guard state.position != nil, !state.needsSession, try planRecord() == nil else { return nil }
        let fetch = NSFetchRequest<SyncLaterBlob>(entityName: "LaterBlob")
        fetch.fetchBatchSize = 50
        for later in try side.fetch(fetch) {
            guard let row = try known([later.identity])[later.identity], row.key != 0,
                let known = row.blobs[later.name], known.isLater
            else {
                side.delete(later)
                continue
            }
            let needed = SyncNeededBlob(object: later.identity, property: later.name, blob: known.blob)
            if missedBlobs[needed] == nil { return needed }
        }
        if side.hasChanges { try side.save() }
        return nil
    }

    /// Takes a part of a value.
    func take(_ part: Data, to request: SyncBlobRequest) throws {
        let needed = SyncNeededBlob(object: request.object, property: request.property, blob: request.blob)
        let isNeeded = neededBlobs.first == needed
        guard try isNeeded || nextLaterBlob() == needed, try self.request(needed) == request else { return }
        let end = request.offset + Int64(part.count)
        guard !part.isEmpty, end <= request.blob.size else {
            throw SyncFailure(.badRequest, "The server has answered with \(part.count) bytes of a value.")
        }
        let parts = parts(request.blob)
        parts.insert(part, at: request.offset)
        if end == request.blob.size {
            guard try SyncBlob(of: parts.contents()) == request.blob else {
                side.rollback()
                return try miss(needed)
            }
        }
        try at(.beforeStage)
        try side.save()
        // The bytes of the parts aren't needed until all are there.
        side.reset()
        forgetState()
        try at(.afterStage)
        guard end == request.blob.size else { return }
        if isNeeded {
            neededBlobs.removeAll { $0.blob == request.blob }
            if neededBlobs.isEmpty { try importPages() }
        } else {
            try importLater(needed)
        }
    }

    /// The server hasn't a value any more, or other bytes: the object has changed since.
    func miss(_ needed: SyncNeededBlob) throws {
        try parts(needed.blob).delete()
        // The next changes have the present value.
        missedBlobs[needed, default: 0] += 1
        if neededBlobs.contains(needed) { try forgetPages() }
        try side.save()
    }

    /// Whether the server tells a value and hasn't got it, after another look at its changes.
    func isMissed(_ needed: SyncNeededBlob) -> Bool { missedBlobs[needed] ?? 0 > 1 }

    /// Forgets the pages of an import, and what it needs: the next one tells it.
    func forgetPages() throws {
        for page in try pages() { side.delete(page) }
        neededBlobs = []
    }

    /// Gives an object the value that it waits for, in a save of its own.
    private func importLater(_ needed: SyncNeededBlob) throws {
        defer { endReading() }
        while true {
            try drainHistory()
            guard try nextLaterBlob() == needed, let data = try incoming(needed.blob),
                let position = try state().position
            else { return }
            guard try beginReading() else { continue }
            guard let row = try known([needed.object])[needed.object], let object = try object(row),
                let property = schema.entity(of: object)?.properties[needed.property]
            else { return }
            guard !mayHaveReadNewerRows else { continue }
            object.setSyncValue(data, forKey: property.key)
            var plan = SyncImportPlan(position: position, scopes: try state().scopes)
            plan.fillsPlaceholders = true
            plan.hasChanges = true
            plan.blobs[needed.object] = [needed.property: SyncKnownBlob(blob: needed.blob)]
            if try save(plan, exclude: { _ in false }) { return try mark(plan) }
        }
    }
}
