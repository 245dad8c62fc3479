// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Reads a side store and the history of its store, while a program may sync them. Nothing is written, and no file is
/// made.
///
/// May be used by one thread at a time.
package final class SyncSideStoreReader: @unchecked Sendable {
    // Sendable: nothing changes.
    let schema: SyncSchema
    let side: NSManagedObjectContext
    private let app: NSManagedObjectContext
    private let stores: [NSPersistentStore]

    /// - Parameters:
    ///   - url: the file of the side store.
    ///   - coordinator: has the store that syncs, and no other one.
    /// - Throws: ``SyncSideStoreError`` for a file that isn't the side store of that store, ``SyncSchemaError`` for a
    ///   mistake in the model's user info, and errors of the file.
    package init(at url: URL, of coordinator: NSPersistentStoreCoordinator) throws {
        stores = coordinator.persistentStores
        var options = SyncSchema.Options()
        options.configurationName = coordinator.managedObjectModel.configuration(
            named: stores.first?.configurationName)
        schema = try SyncSchema(coordinator.managedObjectModel, options)
        side = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        side.persistentStoreCoordinator = try SyncSideStore.openForReading(at: url)
        side.undoManager = nil
        app = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        app.persistentStoreCoordinator = coordinator
        app.undoManager = nil
        do {
            try onQueue {
                // All rows have the state of one moment, also if the engine saves.
                try side.setQueryGenerationFrom(.current)
                guard let other = try state()?.store, let own = stores.first?.identifier, other != own else { return }
                throw SyncSideStoreError.otherStore(url)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Closes the file of the side store.
    package func close() {
        side.performAndWait { side.reset() }
        guard let coordinator = side.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    func onQueue<Result>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try side.performAndWait { try app.performAndWait { try body() } }
    }

    // MARK: Parts of the status

    /// The state of the store, with all but the list of its changes.
    ///
    /// - Throws: errors of the stores.
    package func status(at now: Date = Date()) throws -> SyncStoreStatus {
        try onQueue {
            let state = try state()
            let counts = try pendingCounts()
            let saves = try saves(after: state)
            return SyncStoreStatus(
                replica: state?.replica, account: state?.account,
                position: state?.position, scopes: state?.scopes, lease: state.flatMap { Self.lease($0, now) },
                pendingCount: try pendingCount(), pending: entityCounts(counts), saves: saves.found,
                pushes: try pushes(counts),
                pages: try pages().map { .init(objectCount: $0.objects.count, isLast: $0.head?.isLast ?? false) },
                held: try held(nil), largeValues: try largeValues(nil), problems: try problems(nil),
                notices: try notices(state) + saves.notices)
        }
    }

    /// The changes that the server doesn't have yet, in the order in which they are sent.
    ///
    /// - Parameter limit: the most changes; 0 for all.
    /// - Throws: errors of the side store.
    package func changes(limit: Int = 0) throws -> [SyncStoreStatus.Change] {
        try onQueue { try changes(nil, limit: limit) }
    }

    /// The part of the status that concerns an object of the store; nil for an object that doesn't sync yet.
    ///
    /// - Throws: errors of the side store.
    package func status(of id: NSManagedObjectID) throws -> SyncStoreStatus.OfObject? {
        try onQueue {
            guard let name = schema.entity(of: id)?.name else { return nil }
            let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
            request.predicate = NSPredicate(
                format: "entityName == %@ AND key == %ld", name, Int(clamping: SyncObjectKey.key(of: id)))
            guard let identity = try side.fetch(request).first?.identity else { return nil }
            return SyncStoreStatus.OfObject(
                changes: try changes(identity), held: try held(identity), largeValues: try largeValues(identity),
                problems: try problems(identity))
        }
    }

    // MARK: The row of the replica

    func state() throws -> SyncReplicaState? {
        try side.fetch(NSFetchRequest<SyncReplicaState>(entityName: "ReplicaState")).first
    }

    private static func lease(_ state: SyncReplicaState, _ now: Date) -> SyncStoreStatus.Lease? {
        guard let owner = state.owner else { return nil }
        let until = Date(timeIntervalSinceReferenceDate: state.ownedUntil)
        return SyncStoreStatus.Lease(owner: owner, until: until, isHeld: until >= now)
    }

    private func notices(_ state: SyncReplicaState?) throws -> [SyncStoreStatus.Notice] {
        guard let state, state.isBegun else { return [.notBegun] }
        var notices: [SyncStoreStatus.Notice] = []
        if state.firstStart != nil { notices.append(.firstImport) }
        if state.isRestored || state.needsSession { notices.append(.serverRestored) }
        if state.isCopied { notices.append(.copied) }
        let plans = NSFetchRequest<NSManagedObject>(entityName: "ImportPlan")
        if try side.count(for: plans) > 0 { notices.append(.importUnderWay) }
        return notices
    }

    // MARK: The history of the store

    private func saves(
        after state: SyncReplicaState?
    ) throws -> (found: [SyncStoreStatus.Save], notices: [SyncStoreStatus.Notice]) {
        guard let state, state.isBegun else { return ([], []) }
        do {
            guard try state.isOfHistory(in: app, stores, version: schema.version) else { return ([], [.storesDiffer]) }
            guard let transactions = try app.transactions(after: state.token, .transactionsOnly, in: stores) else {
                return ([], [.historyDeleted])
            }
            let others = transactions.filter { $0.author != SyncSideStore.importAuthor }
            return (
                others.map { .init(transaction: $0.transactionNumber, time: $0.timestamp, author: $0.author) }, []
            )
        } catch let error as CocoaError where error.errorCode == NSPersistentStoreUnsupportedRequestTypeError {
            return ([], [.noHistory])
        }
    }

    // MARK: Pending changes

    private func pendingCount() throws -> Int {
        let request = NSFetchRequest<NSDictionary>(entityName: "PendingObject")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["identity"]
        request.returnsDistinctResults = true
        return try side.fetch(request).count
    }

    private struct PendingCount {
        let entityName: String
        let kind: SyncProblem.Kind
        let push: Int64
        let count: Int
    }

    private func pendingCounts() throws -> [PendingCount] {
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "push")])
        count.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "PendingObject")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["entityName", "kind", "push", count]
        request.propertiesToGroupBy = ["entityName", "kind", "push"]
        return try side.fetch(request).map { row in
            func integer(_ key: String) -> Int64 { (row[key] as? NSNumber)?.int64Value ?? 0 }
            let kind = (row["kind"] as? String).flatMap(SyncObjectChange.Kind.init) ?? .update
            return PendingCount(
                entityName: row["entityName"] as? String ?? "", kind: SyncProblem.Kind(kind), push: integer("push"),
                count: Int(clamping: integer("count")))
        }
    }

    private func entityCounts(_ counts: [PendingCount]) -> [SyncStoreStatus.EntityCount] {
        var result: [String: SyncStoreStatus.EntityCount] = [:]
        for count in counts {
            let name = modelName(count.entityName)
            result[name, default: .init(entityName: name)].add(count.kind, count.count)
        }
        return result.values.sorted { $0.entityName < $1.entityName }
    }

    private func pushes(_ counts: [PendingCount]) throws -> [SyncStoreStatus.Push] {
        let request = NSFetchRequest<SyncOutgoingPush>(entityName: "OutgoingPush")
        request.predicate = NSPredicate(format: "endTime == nil")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try side.fetch(request).map { push in
            let number = push.number
            return SyncStoreStatus.Push(
                number: number, objectCount: counts.filter { $0.push == number }.reduce(0) { $0 + $1.count },
                attempts: push.attempts, isAnswered: push.answerPosition != nil)
        }
    }

    private func changes(_ identity: UUID?, limit: Int = 0) throws -> [SyncStoreStatus.Change] {
        let rows = try rows(SyncPendingObject.self, "PendingObject", of: identity, sortedBy: "group", limit: limit)
        let known = try known(rows.map(\.identity))
        return rows.map { row in
            let keys = row.maskedNames.filter { $0 != SyncPendingObject.everyProperty }
            return SyncStoreStatus.Change(
                object: object(row.identity, row.entityName, known), kind: SyncProblem.Kind(row.kind),
                keys: self.keys(keys, row.entityName), time: Date(timeIntervalSinceReferenceDate: row.time),
                push: row.push == 0 ? nil : row.push)
        }
    }

    // MARK: States of the server, and problems

    func pages() throws -> [SyncIncomingPage] {
        let request = NSFetchRequest<SyncIncomingPage>(entityName: "IncomingPage")
        request.sortDescriptors = [NSSortDescriptor(key: "sequence", ascending: true)]
        return try side.fetch(request)
    }

    private func held(_ identity: UUID?) throws -> [SyncStoreStatus.Held] {
        let rows = try rows(SyncHeldState.self, "HeldState", of: identity)
        let known = try known(rows.map(\.identity))
        return rows.map { row in
            .init(object: object(row.identity, row.state?.entity, known), reason: row.text)
        }
    }

    private func problems(_ identity: UUID?) throws -> [SyncStoreStatus.Problem] {
        let rows = try rows(SyncProblemRecord.self, "Problem", of: identity)
        let known = try known(rows.map(\.identity))
        return rows.map { row in
            let change = row.change
            return SyncStoreStatus.Problem(
                object: object(row.identity, change?.entity, known),
                kind: change.map { SyncProblem.Kind($0.kind) } ?? .change,
                keys: keys(change?.properties.keys.map { $0 } ?? [], change?.entity ?? ""), reason: row.text)
        }
    }

    // MARK: Rows, objects, names

    /// The rows of an entity, for all objects or for one, in the order in which they were made.
    func rows<Row: NSManagedObject>(
        _ type: Row.Type, _ name: String, of identity: UUID?, sortedBy key: String? = nil, limit: Int = 0
    ) throws -> [Row] {
        let request = NSFetchRequest<Row>(entityName: name)
        if let identity { request.predicate = NSPredicate(format: "identity == %@", identity as NSUUID) }
        request.sortDescriptors = [key, "self"].compactMap { $0 }.map { NSSortDescriptor(key: $0, ascending: true) }
        request.fetchLimit = limit
        return try side.fetch(request)
    }

    func known(_ identities: [UUID]) throws -> [UUID: SyncKnownObject] {
        guard !identities.isEmpty else { return [:] }
        let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
        request.predicate = NSPredicate(format: "identity IN %@", Array(Set(identities)))
        return Dictionary(try side.fetch(request).map { ($0.identity, $0) }) { one, _ in one }
    }

    /// - Parameter name: the name of the entity in messages, if the side store tells it.
    func object(_ identity: UUID, _ name: String?, _ known: [UUID: SyncKnownObject]) -> SyncStoreStatus.Object {
        let row = known[identity]
        let name = row?.entityName ?? name ?? ""
        let id = row.flatMap { row in
            row.key == 0 ? nil : SyncObjectKey.id(row.key, modelName(row.entityName), in: stores)
        }
        return SyncStoreStatus.Object(identity: identity, entityName: modelName(name), id: id)
    }

    func modelName(_ name: String) -> String { schema.entities[name]?.modelName ?? name }

    private func keys(_ names: some Collection<String>, _ entityName: String) -> [String] {
        let properties = schema.entities[entityName]?.properties
        return names.map { properties?[$0]?.key ?? $0 }.sorted()
    }
}
