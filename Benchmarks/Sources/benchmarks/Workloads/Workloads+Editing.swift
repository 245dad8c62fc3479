import CoreData
import SystemSQLite

/// Changing large relationships.
extension Workloads {
    static var editing: [Workload] { [addToMany, removeFromToMany, moveOrdered] }

    /// How often the change is repeated in a run.
    private static let repetitions = 20

    private static var addToMany: Workload {
        Workload(
            name: "to-many-add", title: "add one object to a to-many of # and read its count", rows: 100_000,
            checkedRows: 1000, group: .relationships,
            arms: [
                Arm(Arm.own, units: { _ in repetitions }) { stage, rows in
                    let (stack, album) = try largeAlbum(stage, rows)
                    return Measured(stack) { context in
                        var sum: Int64 = 0
                        for _ in 0..<repetitions {
                            Track(context: context).album = album
                            sum += Int64((album.value(forKey: "tracks") as? NSSet)?.count ?? 0)
                        }
                        return Outcome(sum)
                    }
                }
            ],
            targets: [.time(atMostMicroseconds: 10)])
    }

    private static var removeFromToMany: Workload {
        func removing(_ name: String, _ count: @escaping (Album) -> Int) -> Arm {
            Arm(name, units: { _ in repetitions }) { stage, rows in
                let (stack, album) = try largeAlbum(stage, rows)
                let tracks = try stack.objects(Track.self)
                return Measured(stack) { context in
                    withExtendedLifetime(stack) {
                        var sum: Int64 = 0
                        for turn in 0..<repetitions {
                            album.removeFromTracks(tracks[turn * 7919 % rows])
                            sum += Int64(count(album))
                        }
                        return Outcome(sum)
                    }
                }
            }
        }
        return Workload(
            name: "to-many-remove", title: "remove one object of a to-many of # and read the count", rows: 100_000,
            checkedRows: 1000, group: .relationships,
            arms: [
                removing(Arm.own) { $0.typedTracks.count },
                removing("OpenCoreData, NSSet") { $0.tracks?.count ?? 0 },
            ],
            targets: [
                .time(atMostMicroseconds: 10), .time("OpenCoreData, NSSet", atMostMicroseconds: 10),
            ])
    }

    /// An album with so many tracks, all of which are loaded.
    private static func largeAlbum(_ stage: Stage, _ rows: Int) throws -> (StoreStack, Album) {
        let url = try stage.fixture("album-of-\(rows)") { url in
            let stack = try StoreStack(url)
            let album = Album(context: stack.context)
            for number in 0..<rows {
                let track = Track(context: stack.context)
                track.number = Int64(number)
                track.album = album
            }
            try stack.context.save()
        }
        let stack = try StoreStack(try stage.copy(url))
        guard let album = try stack.objects(Album.self).first, album.tracks?.count == rows,
            album.typedTracks.count == rows
        else { throw BenchmarkError("the album has no tracks") }
        return (stack, album)
    }

    // MARK: Moving in an ordered relationship

    private static func playlist(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("playlist-of-\(rows)") { url in
                let stack = try StoreStack(url)
                let playlist = Playlist(context: stack.context)
                let entries = (0..<rows).map { number in
                    let entry = Entry(context: stack.context)
                    entry.number = Int64(number)
                    return entry
                }
                playlist.entries = NSOrderedSet(array: entries)
                try stack.context.save()
            })
    }

    private static var moveOrdered: Workload {
        let tenth = "OpenCoreData, a tenth"
        func moving(_ name: String, part: Int) -> Arm {
            Arm(name, units: { _ in repetitions }) { stage, rows in
                let count = rows / part
                let stack = try StoreStack(try playlist(stage, count))
                guard let playlist = try stack.objects(Playlist.self).first, playlist.entries?.count == count else {
                    throw BenchmarkError("the playlist has no entries")
                }
                return Measured(stack) { context in
                    for turn in 0..<repetitions {
                        let entries = playlist.mutableOrderedSetValue(forKey: "entries")
                        let index = (turn * 7919) % count
                        entries.moveObjects(at: IndexSet(integer: index), to: (index + count / 2) % (count - 1))
                        try context.save()
                    }
                    return Outcome(nil)
                }
            }
        }
        return Workload(
            name: "ordered-move", title: "move one of # objects of an ordered to-many and save", rows: 10_000,
            checkedRows: 1000, group: .relationships,
            arms: [
                Arm(Arm.raw, units: { _ in repetitions }) { stage, rows in
                    let connection = try RawConnection(try playlist(stage, rows))
                    return Measured {
                        let order = "UPDATE ZENTRY SET Z_FOK_PLAYLIST = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
                        try connection.with(order) { statement in
                            for turn in 0..<repetitions {
                                try connection.transaction {
                                    sqlite3_bind_int64(statement, 1, Int64(turn * 3 + 1))
                                    sqlite3_bind_int64(statement, 2, Int64((turn * 7919) % rows + 1))
                                    try connection.finish(statement)
                                    try connection.execute("UPDATE ZPLAYLIST SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
                                }
                            }
                        }
                        return Outcome(nil)
                    }
                },
                moving(Arm.own, part: 1),
                moving(tenth, part: 10),
            ],
            targets: [.time(beyond: Arm.raw, atMostMicroseconds: 300), .linear(Arm.own, tenth)])
    }
}
