// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import CoreDataSync
import CoreDataSyncModel
import OpenCoreData

/// `coredata sync adopt-cloudkit STORE`
struct SyncAdoptCloudKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt-cloudkit",
        abstract: "Gives the objects of a store that CloudKit has mirrored their record names as identities.",
        discussion: """
            For an app that leaves CloudKit for a server of its own. Devices that have mirrored the same objects agree \
            on their identities then, so that no object comes twice. The names are read from the store's tables of \
            NSPersistentCloudKitContainer, and written to the side store of CoreDataSync, which is made beside the \
            store if it is missing. The store itself isn't changed. Objects whose entity has an identifying attribute \
            have its value as identity, and objects without a record get a random one.

            Run it once for the store of each device, before the store syncs for the first time. After that the \
            program says what becomes of the objects: SyncEngine.begin(.upload). A store that syncs already is an \
            error, and so is a mirror in which an object has several records, or a record several objects: mend it by \
            'coredata store doctor --repair'. In an app, SyncEngine.adopt(recordNames:) does the same.

            Examples:
              coredata sync adopt-cloudkit Notes.sqlite
              coredata sync adopt-cloudkit Notes.sqlite --model Notes.momd --side-store Notes-sync.sqlite
            """)

    @OptionGroup
    var arguments: SyncStoreArguments

    @Option(help: "The output format.")
    var format: TextFormat = .text

    private struct Document: Encodable {
        let store: String
        let sideStore: String
        /// The objects with a record name.
        let adopted: Int
        /// The objects without one.
        let others: Int
    }

    func run() throws {
        let store = arguments.store
        if store.isOnServer { throw CommandError("\(store.text) is on a server: CloudKit mirrors files.") }
        if let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: store.url)) {
            throw CommandError("\(store.text) is \(kind): CloudKit mirrors SQLite stores.")
        }
        store.removeLeftovers()
        let opened = try ReadOnlyStore(store, modelPath: arguments.model?.text)
        defer { opened.close() }
        guard
            let records = try CloudKitRecord.read(
                at: store.url.path, model: opened.coordinator.managedObjectModel)
        else { throw CommandError("\(store.text) has no tables of CloudKit's mirror (ANSCKRECORDMETADATA).") }
        var names: [NSManagedObjectID: String] = [:]
        for record in records {
            guard let id = opened.objectID(of: record.entityName, key: record.primaryKey) else { continue }
            names[id] = record.name
        }
        let side = try arguments.sideStoreURL(remedy: "Give the side store another path.")
        let count = try Self.adopt(names, in: opened.coordinator, side)
        let total = try opened.counts().reduce(0) { $0 + $1.count }
        let document = Document(
            store: store.text, sideStore: side.path, adopted: count, others: max(total - count, 0))
        switch format {
        case .json: try StandardStreams.output(JSONText.of(document))
        case .text:
            try StandardStreams.outputText(
                "\(store.text): \(Wording.count(count, "object")) with the names of CloudKit records as identities, "
                    + "\(document.others) without, in \(side.path)")
        }
    }

    private static func adopt(
        _ names: [NSManagedObjectID: String], in coordinator: NSPersistentStoreCoordinator, _ url: URL
    ) throws -> Int {
        do {
            // Before the side store is made.
            _ = try SyncSchema(coordinator.managedObjectModel)
        } catch let error as SyncSchemaError {
            throw CommandError(error.description)
        }
        let side = try SyncSideStore.open(at: url)
        defer { for store in side.persistentStores { try? side.remove(store) } }
        do {
            return try SyncReplica(coordinator, side: side).adopt(names)
        } catch let error as SyncReplicaError {
            throw CommandError(error.description)
        }
    }
}
