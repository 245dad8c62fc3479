import CoreData

/// Stores on a PostgreSQL server, against C programs on the same server and `pgbench`.
extension Workloads {
    /// None without a server.
    static var server: [Workload] {
        PostgreSQLDatabase.server == nil
            ? [] : [serverFetch, serverInsert, serverBatchInsert, serverWriters, serverTasks]
    }

    private static func workload(
        _ name: String, _ title: String, rows: Int, _ arms: [Arm], _ targets: [Target]
    ) -> Workload {
        Workload(
            name: "postgresql-\(name)", title: title, rows: rows, checkedRows: 1000, group: .server, arms: arms,
            targets: targets, measuresResources: false)
    }

    private static var serverFetch: Workload {
        let limit = "libpq in C, binary rows one by one"
        return workload(
            "fetch", "fetch # objects of 10 integers and read every property", rows: 200_000,
            [
                Arm(limit) { _, rows in
                    let schema = try PostgreSQLDatabase.readings(rows)
                    let connection = try RawServerConnection()
                    return Measured { Outcome(try connection.sumOfReadings(schema: schema)) }
                },
                Arm(Arm.own) { _, rows in
                    let stack = try PostgreSQLDatabase.stack(schema: PostgreSQLDatabase.readings(rows))
                    return Measured(stack) { _ in
                        let objects = try stack.objects(Reading.self)
                        return Outcome(objects.reduce(0) { $0 &+ $1.sum }, retained: objects)
                    }
                },
            ], [.ratio(to: limit, atMost: 1.3)])
    }

    private static var serverInsert: Workload {
        let limit = "libpq in C, INSERT from unnest"
        return workload(
            "insert", "insert # objects of 10 integers and save", rows: 50_000,
            [
                raw(limit) { try $0.insertReadings(schema: $1, $2) },
                writing { context, rows in
                    for row in 0..<rows { Reading(context: context).setAll(row: row) }
                    try context.save()
                },
            ], [.ratio(to: limit, atMost: 1.5)])
    }

    private static var serverBatchInsert: Workload {
        let limit = "libpq in C, COPY"
        return workload(
            "batch-insert", "batch insert of # rows of 10 integers", rows: 500_000,
            [
                raw(limit) { try $0.copyReadings(schema: $1, $2) },
                writing { context, rows in
                    var row = 0
                    let request = NSBatchInsertRequest(
                        entityName: "Reading",
                        managedObjectHandler: { object in
                            guard row < rows, let reading = object as? Reading else { return true }
                            reading.setAll(row: row)
                            row += 1
                            return false
                        })
                    _ = try context.execute(request)
                },
            ], [.ratio(to: limit, atMost: 1.2)])
    }

    private static var serverWriters: Workload {
        let limit = "pgbench, 16 clients"
        return workload(
            "writers", "# saves of one object of 10 integers by 16 processes", rows: 16_000,
            [
                Arm(limit) { stage, rows in
                    try counted { try PostgreSQLWriters.pgbench(stage, schema: $0, transactions: rows) }
                },
                Arm("OpenCoreData, 16 processes") { stage, rows in
                    try counted { try PostgreSQLWriters.processes(stage, schema: $0, saves: rows) }
                },
            ], [.throughput("OpenCoreData, 16 processes", of: limit, atLeast: 0.8)])
    }

    /// A process serves requests with a pool of ten connections.
    private static var serverTasks: Workload {
        let limit = "pgbench, 10 clients"
        func tasks(_ count: Int) -> Arm {
            Arm("OpenCoreData, \(count) tasks of one process") { stage, rows in
                let stack = try PostgreSQLDatabase.stack(schema: counters())
                let measured = PostgreSQLTasks.run(stack.coordinator, tasks: count, requests: rows / count * count)
                let connection = try RawServerConnection()
                let sum = "SELECT COALESCE(SUM(zvalue1), 0)::bigint FROM \(schema).zreading"
                return Measured {
                    let before = try connection.integer(sum)
                    let outcome = try measured.run()
                    // Each request has raised a counter by 1.
                    guard try connection.integer(sum) - before == outcome.checksum else {
                        throw BenchmarkError("a save was lost")
                    }
                    withExtendedLifetime(stack) {}
                    return Outcome(0, time: outcome.time)
                }
            }
        }
        return workload(
            "tasks", "# requests that fetch an object of 10 integers, change and save it", rows: 32_000,
            [
                Arm(limit) { stage, rows in
                    let script = try PostgreSQLTasks.script(schema: counters())
                    let measured = try PostgreSQLWriters.pgbench(stage, script, clients: 10, transactions: rows)
                    return Measured { Outcome(0, time: try measured.run().time) }
                },
                tasks(1), tasks(8), tasks(64), tasks(1000),
            ], [.throughput("OpenCoreData, 64 tasks of one process", of: limit, atLeast: 0.6)])
    }

    /// The schema of a store with the objects that requests change.
    private static func counters() throws -> String {
        try PostgreSQLDatabase.makeEmptyStore(schema: schema)
        let connection = try RawServerConnection()
        let entity = try connection.readingEntity(schema: schema)
        let others = (2..<ReadingValues.columnCount).map { ", zvalue\($0)" }.joined()
        try connection.execute(
            """
            INSERT INTO \(schema).zreading (z_pk, z_ent, z_opt, zvalue0, zvalue1\(others)) \
            SELECT n, \(entity), 1, n, 0\(String(repeating: ", 0", count: ReadingValues.columnCount - 2)) \
            FROM generate_series(1, \(PostgreSQLTasks.objectCount)) AS n
            """)
        try connection.execute("CREATE INDEX ON \(schema).zreading (zvalue0)")
        try connection.execute("ANALYZE \(schema).zreading")
        return schema
    }

    // MARK: Arms

    private static let schema = "written"

    /// Counts the rows after the run.
    private static func counted(_ prepare: (_ schema: String) throws -> Measured) throws -> Measured {
        try PostgreSQLDatabase.makeEmptyStore(schema: schema)
        let connection = try RawServerConnection()
        let measured = try prepare(schema)
        return Measured {
            var outcome: Outcome?
            let time = try Time.measure { outcome = try measured.run() }
            let count = try connection.integer("SELECT COUNT(*) FROM \(schema).zreading")
            return Outcome(count, time: outcome?.time ?? time)
        }
    }

    private static func raw(_ name: String, _ write: @escaping (RawServerConnection, String, Int) throws -> Void) -> Arm
    {
        Arm(name) { _, rows in
            try counted { schema in
                let connection = try RawServerConnection()
                return Measured {
                    try write(connection, schema, rows)
                    return Outcome(nil)
                }
            }
        }
    }

    private static func writing(_ write: @escaping (NSManagedObjectContext, Int) throws -> Void) -> Arm {
        Arm(Arm.own) { _, rows in
            try counted { schema in
                let stack = try PostgreSQLDatabase.stack(schema: schema)
                return Measured(stack) { context in
                    try write(context, rows)
                    return Outcome(nil)
                }
            }
        }
    }
}
