import CoreData
import GRDB
import SystemSQLite

/// Objects of to-many relationships, one by one and prefetched.
extension Workloads {
    static var toMany: [Workload] { [toManyFaults, toManyRead, toManyPrefetched, childContext] }

    private static let tracks = 20

    /// Albums of twenty tracks each.
    private static func albums(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("albums-\(rows)") { url in
            try StoreStack.fill(url, rows: rows) { context, row in
                let album = Album(context: context)
                album.title = "Album \(row)"
                for number in 0..<tracks {
                    let track = Track(context: context)
                    track.title = "Track \(number)"
                    track.number = Int64(row + number)
                    track.album = album
                }
            }
        }
    }

    private static let untyped = "OpenCoreData, NSSet"

    /// Reads every track of the albums.
    private static func sum(_ albums: [Album]) -> Int64 {
        var sum: Int64 = 0
        for album in albums {
            for track in album.typedTracks { sum &+= track.number }
        }
        return sum
    }

    /// The same through Foundation's sets, as Xcode generates the property.
    private static func untypedSum(_ albums: [Album]) -> Int64 {
        var sum: Int64 = 0
        for album in albums {
            for track in album.tracks ?? NSSet() { sum &+= (track as? Track)?.number ?? 0 }
        }
        return sum
    }

    /// Walks the relationships of albums that are fetched before.
    private static func walking(_ name: String, _ walk: @escaping ([Album]) -> Int64) -> Arm {
        Arm(name) { stage, rows in
            let stack = try StoreStack(try albums(stage, rows))
            let albums = try stack.objects(Album.self)
            return Measured(stack) { _ in Outcome(walk(albums)) }
        }
    }

    private static var toManyFaults: Workload {
        Workload(
            name: "to-many-faults", title: "load # to-many relationships of 20 objects one by one", rows: 10_000,
            checkedRows: 100, group: .relationships,
            arms: [
                selectingTracks("Z_PK") { $0 > 0 ? 1 : 0 },
                walking(Arm.own) { albums in albums.reduce(0) { $0 + Int64($1.typedTracks.count) } },
                walking(untyped) { albums in
                    var count: Int64 = 0
                    for album in albums {
                        for track in album.tracks ?? NSSet() { count += track is Track ? 1 : 0 }
                    }
                    return count
                },
                lazyRequests { try $0.tracks.fetchCount($1) },
            ],
            targets: [.ratio(atMost: 3), .ratio(untyped, atMost: 6)])
    }

    private static var toManyRead: Workload {
        Workload(
            name: "to-many-read", title: "load # to-many relationships of 20 objects one by one and read each object",
            rows: 10_000, checkedRows: 100, group: .relationships,
            arms: [
                selectingTracks("ZNUMBER, Z_PK, Z_OPT, ZTITLE") { $0 },
                walking(Arm.own, sum),
                walking(untyped, untypedSum),
                lazyRequests { try $0.tracks.fetchAll($1).reduce(0) { $0 &+ Int($1.number) } },
                .sqlalchemy("to-many-read", file: albums),
            ],
            targets: [])
    }

    /// Selects the tracks of each album, and adds what the closure makes of the first column.
    private static func selectingTracks(_ columns: String, _ use: @escaping (Int64) -> Int64) -> Arm {
        Arm(Arm.raw) { stage, rows in
            let connection = try RawConnection(try albums(stage, rows))
            return Measured {
                var sum: Int64 = 0
                try connection.execute("BEGIN")
                try connection.with("SELECT \(columns) FROM ZTRACK WHERE ZALBUM = ?") { statement in
                    for key in 1...Int64(rows) {
                        sqlite3_bind_int64(statement, 1, key)
                        while sqlite3_step(statement) == SQLITE_ROW {
                            sum &+= use(sqlite3_column_int64(statement, 0))
                        }
                        sqlite3_reset(statement)
                    }
                }
                try connection.execute("COMMIT")
                return Outcome(sum)
            }
        }
    }

    private static var toManyPrefetched: Workload {
        Workload(
            name: "to-many-prefetched", title: "fetch # objects with a prefetched to-many of 20 each and read them",
            rows: 10_000, checkedRows: 100, group: .relationships,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try albums(stage, rows))
                    return Measured {
                        let albums = "SELECT Z_PK, Z_OPT, ZTITLE FROM ZALBUM"
                        let tracks = "SELECT Z_PK, Z_OPT, ZALBUM, ZNUMBER, ZTITLE FROM ZTRACK"
                        // The tracks of each album, as a program needs them.
                        var groups: [Int64: [Int64]] = [:]
                        try connection.with(albums) { statement in
                            while sqlite3_step(statement) == SQLITE_ROW {
                                groups[sqlite3_column_int64(statement, 0)] = []
                            }
                        }
                        try connection.with(tracks) { statement in
                            while sqlite3_step(statement) == SQLITE_ROW {
                                groups[sqlite3_column_int64(statement, 2)]?.append(sqlite3_column_int64(statement, 3))
                            }
                        }
                        return Outcome(groups.values.reduce(0) { $0 &+ $1.reduce(0, &+) }, retained: groups)
                    }
                },
                prefetching(Arm.own, sum),
                prefetching(untyped, untypedSum),
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try albums(stage, rows))
                    return Measured {
                        let albums = try queue.read { database in
                            try GRDBAlbum.including(all: GRDBAlbum.tracks)
                                .asRequest(of: GRDBWithRelated<GRDBAlbum, [GRDBTrack]>.self)
                                .fetchAll(database)
                        }
                        let sum = albums.reduce(0) { $1.related.reduce($0) { $0 &+ $1.number } }
                        return Outcome(sum, retained: albums)
                    }
                },
                .sqlalchemy("to-many-prefetched", file: albums),
            ],
            targets: [.ratio(atMost: 2.5)])
    }

    private static func prefetching(_ name: String, _ walk: @escaping ([Album]) -> Int64) -> Arm {
        Arm(name) { stage, rows in
            let stack = try StoreStack(try albums(stage, rows))
            return Measured(stack) { _ in
                let albums = try stack.objects(Album.self, prefetching: ["tracks"])
                return Outcome(walk(albums), retained: albums)
            }
        }
    }

    /// GRDB's request for the tracks of each album.
    private static func lazyRequests(_ use: @escaping (GRDBAlbum, Database) throws -> Int) -> Arm {
        Arm(Arm.structs) { stage, rows in
            let queue = try GRDBDatabase.queue(try albums(stage, rows))
            let albums = try queue.read { try GRDBAlbum.fetchAll($0) }
            return Measured {
                Outcome(Int64(try queue.read { database in try albums.reduce(0) { $0 &+ (try use($1, database)) } }))
            }
        }
    }

    // MARK: Child contexts

    private static var childContext: Workload {
        let (root, child) = ("OpenCoreData, root context", "OpenCoreData, child context")
        func fetching(_ name: String, isChild: Bool) -> Arm {
            Arm(name) { stage, rows in
                let stack = try StoreStack(try albums(stage, rows))
                var context = stack.context
                if isChild {
                    context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                    context.parent = stack.context
                }
                return Measured(stack) { _ in
                    let request = NSFetchRequest<Album>(entityName: "Album")
                    request.fetchBatchSize = 100
                    request.relationshipKeyPathsForPrefetching = ["tracks"]
                    let albums = try context.fetch(request)
                    // Reading an attribute loads a batch, as a list on the screen does.
                    var sum: Int64 = 0
                    for album in albums where album.title != nil {
                        for track in album.tracks ?? NSSet() { sum &+= (track as? Track)?.number ?? 0 }
                    }
                    return Outcome(sum, retained: albums)
                }
            }
        }
        return Workload(
            name: "child-context",
            title: "fetch # objects in batches of 100 with a prefetched to-many of 20, in a child context",
            rows: 10_000, checkedRows: 200, group: .contexts,
            arms: [fetching(root, isChild: false), fetching(child, isChild: true)],
            targets: [.ratio(child, to: root, atMost: 1.3), .statements(child, atMostThoseOf: root)])
    }
}
