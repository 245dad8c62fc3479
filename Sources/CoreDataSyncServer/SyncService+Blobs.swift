// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Large values on their way.
///
/// An account has the bytes of a digest if an object has them that it may have, or if it has uploaded them: who knows a
/// digest alone gets nothing for it, and learns nothing from it.
extension SyncService {
    /// A part of a large value.
    ///
    /// - Throws: ``SyncFailure`` if no object that the account may have has the value.
    func part(_ request: SyncBlobRequest, _ account: SyncAccount) throws -> Data {
        guard let record = try records([request.object])[request.object],
            try visibility(account).map({ try !$0.visible([record]).isEmpty }) ?? true,
            let value = try value(request.property, of: record, request.blob)
        else { throw SyncFailure(.missingBlob, "The object hasn't the value any more.") }
        guard (0...request.blob.size).contains(request.offset) else {
            throw SyncFailure(.badRequest, "The value has \(request.blob.size) bytes.")
        }
        return Data(value.dropFirst(Int(request.offset)).prefix(limits.partBytes))
    }

    /// The bytes of an object's large value, if it is this one as pages say.
    private func value(_ name: String, of record: SyncRecord, _ blob: SyncBlob) throws -> Data? {
        let row = try blobs(of: [record])[record.identity]?[name]
        if row == blob, let sentValue, sentValue.object == record.identity, sentValue.blob == blob {
            return sentValue.data
        }
        guard let property = schema.entities[record.entityName]?.properties[name], property.mayBeBlob,
            let object = try object(of: record),
            try property.value(of: object, blob: row, { _ in nil }) == .blob(blob)
        else { return nil }
        if row != blob {
            try noteBlobs([record: [name]]) { _ in object }
            try context.save()
        }
        guard let data = object.value(forKey: property.key) as? Data else { return nil }
        sentValue = (record.identity, blob, data)
        return data
    }

    // MARK: Uploads

    /// Keeps a part of a large value.
    ///
    /// - Returns: the number of bytes that the server has now.
    /// - Throws: ``SyncFailure`` for a value that is too large, and for bytes that haven't the digest.
    func keep(_ request: SyncUploadRequest, _ account: SyncAccount) throws -> Int64 {
        let blob = request.blob
        guard blob.isName, request.offset >= 0 else {
            throw SyncFailure(.badRequest, "The name of the value is none.")
        }
        let least = min(Int64(limits.leastPartBytes), blob.size - min(request.offset, blob.size))
        guard request.bytes.isEmpty || request.bytes.count >= least else {
            throw SyncFailure(
                .badRequest, "A part has \(limits.leastPartBytes) bytes at least, apart from the last one.")
        }
        guard request.bytes.count <= limits.pushBytes, blob.size <= limits.blobBytes else {
            throw SyncFailure(
                .tooLarge,
                "A value has \(blob.size) bytes, and the server takes \(limits.blobBytes): raise its limit `blobBytes`."
            )
        }
        let parts = parts(blob, account)
        let received = try parts.received
        if received == 0 {
            try forgetUploads(before: now() - limits.uploadSeconds)
            try checkUploads(of: account, with: blob)
        }
        guard received < blob.size, request.offset == received, !request.bytes.isEmpty else { return received }
        let end = received + Int64(request.bytes.count)
        guard end <= blob.size else { throw SyncFailure(.badRequest, "The value has \(blob.size) bytes.") }
        let part = parts.insert(request.bytes, at: received)
        part.setValue(account.name, forKey: "account")
        part.setValue(now(), forKey: "time")
        // Before the last part is saved: a value that isn't what it says is never complete. Nothing of it stays.
        if end == blob.size, try SyncBlob(of: parts.contents()) != blob {
            undo()
            try parts.delete()
            try context.save()
            throw SyncFailure(.badRequest, "The bytes haven't the digest: send them again.")
        }
        try context.save()
        return end
    }

    /// Forgets values that were uploaded before a time, and that no push has used.
    ///
    /// - Parameter time: in seconds since the reference date.
    /// - Throws: errors of the store.
    package func forgetUploads(before time: Double) throws {
        try context.performAndWait {
            var newest: [UploadKey: Double] = [:]
            for row in try uploads("time < %lf", time) { newest[UploadKey(row)] = -.infinity }
            guard !newest.isEmpty else { return }
            for row in try uploads("time >= %lf", time) { newest[UploadKey(row)] = nil }
            for key in newest.keys {
                let request = NSFetchRequest<NSManagedObject>(entityName: "SyncUpload")
                request.predicate = NSPredicate(
                    format: "account == %@ AND digest == %@", key.account, key.digest as NSData)
                request.includesPropertyValues = false
                for part in try context.fetch(request) { context.delete(part) }
            }
            if context.hasChanges { try context.save() }
        }
    }

    private struct UploadKey: Hashable {
        let account: String
        let digest: Data
        let size: Int64

        init(_ row: NSDictionary) {
            account = row["account"] as? String ?? ""
            digest = row["digest"] as? Data ?? Data()
            size = (row["size"] as? NSNumber)?.int64Value ?? 0
        }
    }

    /// The names of the uploaded values with a part of some kind.
    private func uploads(_ format: String, _ argument: any CVarArg) throws -> [NSDictionary] {
        let fetch = NSFetchRequest<NSDictionary>(entityName: "SyncUpload")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = ["account", "digest", "size"]
        fetch.returnsDistinctResults = true
        fetch.predicate = NSPredicate(format: format, argument)
        return try context.fetch(fetch)
    }

    /// Checks that an account doesn't fill the server with values that no push uses. Those that have begun count whole.
    private func checkUploads(of account: SyncAccount, with blob: SyncBlob) throws {
        let bytes = try uploads("account == %@", account.name as NSString).reduce(blob.size) {
            $0.addingReportingOverflow(UploadKey($1).size).partialValue
        }
        guard bytes <= limits.uploadBytes else {
            throw SyncFailure(.tooLarge, "The account has uploaded too many bytes that no push has used: try later.")
        }
    }

    /// The parts that an account has uploaded of a value.
    private func parts(_ blob: SyncBlob, _ account: SyncAccount) -> SyncBlobParts {
        SyncBlobParts(blob, "SyncUpload", where: NSPredicate(format: "account == %@", account.name), in: context)
    }

    // MARK: Pushes

    /// The bytes of a large value of a push; nil if its account hasn't got them.
    func contents(
        _ blob: SyncBlob, _ account: SyncAccount, _ visibility: SyncVisibility?
    ) throws -> Data? {
        guard blob.isName else { return nil }
        let parts = parts(blob, account)
        if try parts.isComplete { return try parts.contents() }
        return try owner(blob, visibility).flatMap { try value($0.name, of: $0.record, blob) }
    }

    func hasContents(
        _ blob: SyncBlob, _ account: SyncAccount, _ visibility: SyncVisibility?
    ) throws -> Bool {
        guard blob.isName else { return false }
        return try parts(blob, account).isComplete || owner(blob, visibility) != nil
    }

    /// An object that has a large value and that the account may have, and its attribute.
    private func owner(
        _ blob: SyncBlob, _ visibility: SyncVisibility?
    ) throws -> (record: SyncRecord, name: String)? {
        let request = NSFetchRequest<SyncBlobRecord>(entityName: "SyncBlob")
        request.predicate = blob.predicate
        request.sortDescriptors = [NSSortDescriptor(key: "identity", ascending: true)]
        request.fetchLimit = 20
        while true {
            let rows = try context.fetch(request)
            let records = try self.records(rows.map(\.identity))
            let visible = try visibility?.visible(Array(records.values))
            for row in rows {
                guard let record = records[row.identity], record.isAlive, visible?.contains(record) ?? true else {
                    continue
                }
                return (record, row.name)
            }
            if rows.count < request.fetchLimit { return nil }
            request.fetchOffset += rows.count
        }
    }

    /// Forgets the uploads of a push that came to its end.
    func forgetUploads(of push: SyncPush, _ account: SyncAccount) throws {
        for blob in Set(push.groups.flatMap(\.blobs)) {
            try parts(blob, account).delete()
        }
    }
}

extension SyncBlob {
    /// Whether the name can be that of bytes.
    fileprivate var isName: Bool { digest.count == 32 && size > 0 }
}

extension SyncGroup {
    /// The large values of the changes.
    var blobs: [SyncBlob] { changes.flatMap(\.blobs) }
}

/// Large values that a push needs, and that its account hasn't got on the server.
struct SyncMissingBlobs: Error {
    let blobs: [SyncBlob]
}
