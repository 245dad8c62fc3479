import CoreData

/// Persistent history, migration and the predicate parser: without targets.
extension Workloads {
    static var history: [Workload] {
        func workload(
            _ name: String, _ title: String,
            _ change: @escaping (StoreStack, _ rows: Int, _ objects: [Reading]) throws -> Void
        ) -> Workload {
            func saving(_ arm: String, tracks: Bool) -> Arm {
                Arm(arm) { stage, rows in
                    let url =
                        name.hasSuffix("insert")
                        ? try ReadingValues.emptyStore(stage) : try stage.copy(try ReadingValues.fixture(stage, rows))
                    let stack = try StoreStack(url, options: [NSPersistentHistoryTrackingKey: tracks as NSNumber])
                    let objects = try stack.objects(Reading.self)
                    try change(stack, rows, objects)
                    return Measured(stack) { context in
                        try context.save()
                        return withExtendedLifetime(objects) { Outcome(Int64(rows)) }
                    }
                }
            }
            let (without, with) = ("OpenCoreData, without history", "OpenCoreData, with history")
            return Workload(
                name: name, title: title, rows: 50_000, checkedRows: 500, group: .others,
                arms: [saving(without, tracks: false), saving(with, tracks: true)],
                targets: [.ratio(with, to: without, atMost: 1.35)])
        }
        return [
            workload("history-insert", "save # inserted objects with history") { stack, rows, _ in
                for row in 0..<rows { Reading(context: stack.context).setAll(row: row) }
            },
            workload("history-update", "save # objects with one changed property with history") { _, _, objects in
                for object in objects { object.value3 += 1 }
            },
            workload("history-delete", "save # deletions with history") { stack, _, objects in
                for object in objects { stack.context.delete(object) }
            },
        ]
    }

    static var parsing: [Workload] {
        let texts: [(name: String, format: String, arguments: [String])] = [
            ("one comparison", "name == %@", ["Ella"]),
            (
                "typical", "artist.name == %@ AND ANY tags.%K BEGINSWITH[cd] %@ AND length > 180",
                ["Ella", "title", "live"]
            ),
            (
                "long",
                """
                (title CONTAINS[cd] 'night' OR subtitle LIKE[c] '*moon*') AND NOT (year < 1950 OR year > 1999) AND \
                genre IN {'jazz', 'swing'} \
                AND SUBQUERY(plays, $play, $play.rating >= 4 AND $play.listener.name != nil).@count > 3 AND (length + \
                pause) * 2 < 900.5
                """, []
            ),
        ]
        return [
            Workload(
                name: "parse-predicate", title: "parse # predicates with their arguments", rows: 20_000,
                checkedRows: 200, group: .others,
                arms: texts.map { text in
                    Arm("OpenCoreData, \(text.name)") { _, rows in
                        Measured {
                            for _ in 0..<rows {
                                _ = NSPredicate(format: text.format, argumentArray: text.arguments)
                            }
                            return Outcome(nil)
                        }
                    }
                }, targets: [])
        ]
    }
}
