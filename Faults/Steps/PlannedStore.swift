import OpenCoreData
import SwiftData

/// A store of three versions of a schema, which a plan with two custom stages migrates.
struct PlannedStore {
    static let rowCount = 400

    static func container(_ url: URL, _ version: any VersionedSchema.Type, plan: Bool = false) throws -> ModelContainer
    {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan ? TicketPlan.self : nil,
            configurations: ModelConfiguration(url: url))
    }

    /// Makes a store of the first version.
    static func make(_ url: URL) throws {
        let context = ModelContext(try container(url, TicketsV1.self))
        for number in 0..<rowCount {
            let ticket = TicketsV1.Ticket(number: number, holder: number % 3 == 0 ? nil : "holder \(number % 7)")
            if number % 40 == 0 { ticket.scan = scan(number) }
            context.insert(ticket)
        }
        try context.save()
    }

    /// Large enough for an external file.
    private static func scan(_ number: Int) -> Data { Data(repeating: UInt8(number % 251), count: 150_000) }

    /// Checks that a store is of the first version or of the last one, with all values.
    ///
    /// - Returns: whether it is of the last version.
    static func check(_ url: URL) throws -> Bool {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        func isOf(_ version: any VersionedSchema.Type) -> Bool {
            NSManagedObjectModel.makeManagedObjectModel(for: Schema(versionedSchema: version))?
                .entityVersionHashesByName == hashes
        }
        if isOf(TicketsV1.self) {
            try checkFirst(url)
            return false
        }
        try expect(isOf(TicketsV3.self), "the store is of neither version")
        try checkLast(url)
        return true
    }

    private static func checkFirst(_ url: URL) throws {
        let context = ModelContext(try container(url, TicketsV1.self))
        let tickets = try context.fetch(FetchDescriptor<TicketsV1.Ticket>(sortBy: [SortDescriptor(\.number)]))
        try expect(tickets.map(\.number) == Array(0..<rowCount), "tickets of the old version are missing")
        for ticket in tickets {
            let holder = ticket.number % 3 == 0 ? nil : "holder \(ticket.number % 7)"
            try expect(ticket.holder == holder, "the old ticket \(ticket.number) has another holder")
            let scan = ticket.number % 40 == 0 ? scan(ticket.number) : nil
            try expect(ticket.scan == scan, "the old ticket \(ticket.number) has another scan")
        }
    }

    private static func checkLast(_ url: URL) throws {
        let context = ModelContext(try container(url, TicketsV3.self))
        let tickets = try context.fetch(FetchDescriptor<TicketsV3.Ticket>(sortBy: [SortDescriptor(\.number)]))
        try expect(tickets.map(\.number) == Array(0..<rowCount), "tickets of the new version are missing")
        for ticket in tickets {
            let holder = ticket.number % 3 == 0 ? "nobody, moved" : "holder \(ticket.number % 7), moved"
            try expect(ticket.holder?.name == holder, "the new ticket \(ticket.number) has another holder")
            let scan = ticket.number % 40 == 0 ? scan(ticket.number) : nil
            try expect(ticket.image == scan, "the new ticket \(ticket.number) has another image")
        }
        let holders = try context.fetchCount(FetchDescriptor<TicketsV3.Holder>())
        try expect(holders == 8, "there are \(holders) holders")
    }
}

enum TicketsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Ticket.self] }

    @Model final class Ticket {
        var number: Int
        var holder: String?
        @Attribute(.externalStorage) var scan: Data?

        init(number: Int, holder: String?) {
            self.number = number
            self.holder = holder
        }
    }
}

/// The holder is required, and the scan has another name.
enum TicketsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Ticket.self] }

    @Model final class Ticket {
        var number: Int
        var holder: String
        @Attribute(.externalStorage, originalName: "scan") var image: Data?

        init(number: Int, holder: String) {
            self.number = number
            self.holder = holder
        }
    }
}

/// Holders are models.
enum TicketsV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Ticket.self, Holder.self] }

    @Model final class Ticket {
        var number: Int
        @Attribute(originalName: "holder") var formerHolder: String?
        @Attribute(.externalStorage) var image: Data?
        var holder: Holder?

        init(number: Int) { self.number = number }
    }

    @Model final class Holder {
        var name: String
        @Relationship(inverse: \Ticket.holder) var tickets: [Ticket] = []

        init(name: String) { self.name = name }
    }
}

enum TicketPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TicketsV1.self, TicketsV2.self, TicketsV3.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: TicketsV1.self, toVersion: TicketsV2.self,
                willMigrate: { context in
                    for ticket in try context.fetch(FetchDescriptor<TicketsV1.Ticket>()) where ticket.holder == nil {
                        ticket.holder = "nobody"
                    }
                    try context.save()
                },
                didMigrate: { context in
                    for ticket in try context.fetch(FetchDescriptor<TicketsV2.Ticket>()) { ticket.holder += ", moved" }
                    try context.save()
                }),
            .custom(
                fromVersion: TicketsV2.self, toVersion: TicketsV3.self, willMigrate: nil,
                didMigrate: { context in
                    var holders: [String: TicketsV3.Holder] = [:]
                    for ticket in try context.fetch(FetchDescriptor<TicketsV3.Ticket>()) {
                        guard let name = ticket.formerHolder else { continue }
                        let holder = holders[name] ?? TicketsV3.Holder(name: name)
                        holders[name] = holder
                        ticket.holder = holder
                        ticket.formerHolder = nil
                    }
                    try context.save()
                }),
        ]
    }
}
