import CoreData
import Synchronization

/// Tasks of one process that fetch an object, change it and save, as the tasks of a server do, and `pgbench` with the
/// statements of such a request.
enum PostgreSQLTasks {
    /// The objects that the requests change.
    static let objectCount = 1000

    /// Runs requests by tasks, each of which makes the same number.
    static func run(_ coordinator: NSPersistentStoreCoordinator, tasks: Int, requests: Int) -> Measured {
        Measured {
            let report = Report()
            let isDone = DispatchSemaphore(value: 0)
            let sampler = ThreadCount()
            Task {
                await withTaskGroup(of: Void.self) { group in
                    for task in 0..<tasks {
                        group.addTask {
                            for step in 0..<(requests / tasks) {
                                // Two tasks change the same object rarely, as with the clients of pgbench.
                                let key = (task * 37 + step * tasks) % objectCount + 1
                                await change(key, coordinator, report)
                            }
                        }
                    }
                }
                isDone.signal()
            }
            let seconds = try Time.measure { isDone.wait() }
            let threads = sampler.stop()
            report.print(tasks: tasks, threads: threads)
            if let error = report.error { throw error }
            return Outcome(report.count, time: seconds)
        }
    }

    /// One request: fetches, changes and saves, again after a conflict.
    private static func change(_ key: Int, _ coordinator: NSPersistentStoreCoordinator, _ report: Report) async {
        let start = ContinuousClock.now
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        do {
            try await context.perform {
                context.undoManager = nil
                let request = NSFetchRequest<Reading>(entityName: "Reading")
                request.predicate = NSPredicate(format: "value0 == %d", key)
                while true {
                    guard let reading = try context.fetch(request).first else {
                        throw BenchmarkError("the object \(key) is missing")
                    }
                    reading.value1 += 1
                    do {
                        try context.save()
                        return
                    } catch let error as NSError where error.code == NSManagedObjectMergeError {
                        context.rollback()
                        context.refresh(reading, mergeChanges: false)
                    }
                }
            }
            report.add(start.duration(to: .now) / .milliseconds(1))
        } catch {
            report.fail(error)
        }
    }

    /// The times of requests.
    private final class Report: Sendable {
        private let state = Mutex((times: [Double](), error: (any Error)?.none))

        func add(_ milliseconds: Double) { state.withLock { $0.times.append(milliseconds) } }
        func fail(_ error: any Error) { state.withLock { $0.error = $0.error ?? error } }
        var error: (any Error)? { state.withLock { $0.error } }
        var count: Int64 { state.withLock { Int64($0.times.count) } }

        func print(tasks: Int, threads: Int) {
            let times = state.withLock { $0.times.sorted() }
            guard !times.isEmpty else { return }
            let p50 = times[times.count / 2].formatted(.number.precision(.fractionLength(1)))
            let p99 = times[times.count * 99 / 100].formatted(.number.precision(.fractionLength(1)))
            FileHandle.standardError.write(
                Data("  \(tasks) tasks: p50 \(p50) ms, p99 \(p99) ms, at most \(threads) threads\n".utf8))
        }
    }

    /// The greatest number of threads of the process.
    private final class ThreadCount: Sendable {
        private let greatest = Mutex(0)
        private let isStopped = Atomic<Bool>(false)

        init() {
            Thread.detachNewThread { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    let count = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
                    // This thread is none of the work's.
                    greatest.withLock { $0 = max($0, count - 1) }
                    Thread.sleep(forTimeInterval: 0.02)
                }
            }
        }

        func stop() -> Int {
            isStopped.store(true, ordering: .relaxed)
            return greatest.withLock { $0 }
        }
    }

    /// The statements of a request in the same round trips: a select, a transaction with an update, its end.
    static func script(schema: String) -> String {
        """
        \\set number random(1, \(objectCount))
        SELECT z_pk AS key, z_opt AS version, zvalue1 + 1 AS value FROM \(schema).zreading AS t0 \
        WHERE zvalue0 = :number \\gset
        \\startpipeline
        BEGIN;
        LOCK TABLE \(schema).z_modelcache IN ACCESS SHARE MODE;
        SELECT pg_current_xact_id()::text, \
        (SELECT EXISTS(SELECT 1 FROM \(schema).z_modelcache WHERE z_number = 1)::integer)::text;
        UPDATE \(schema).zreading AS t SET zvalue1 = v.c3, z_opt = v.c2 + 1 \
        FROM unnest(ARRAY[:key]::bigint[], ARRAY[:version]::integer[], ARRAY[:value]::bigint[]) AS v(c1, c2, c3) \
        WHERE t.z_pk = v.c1 AND t.z_opt = v.c2 RETURNING t.z_pk;
        \\endpipeline
        COMMIT;

        """
    }
}
