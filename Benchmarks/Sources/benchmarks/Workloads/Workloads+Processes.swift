import CoreData

/// Whole processes, and threads of one process.
extension Workloads {
    static var processes: [Workload] { [start, twoThreads] }

    // MARK: A process

    private static var start: Workload {
        let repetitions = 10
        func running(_ name: String, _ program: String, takesModel: Bool) -> Arm {
            Arm(name, units: { _ in repetitions }) { stage, rows in
                let url = try stage.copy(try ReadingValues.fixture(stage, rows))
                guard let model = Bundle.module.url(forResource: "Benchmark", withExtension: "momd") else {
                    throw BenchmarkError("the model is missing")
                }
                let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                    .deletingLastPathComponent()
                return Measured {
                    let children = Self.processorTimeOfChildren
                    let time = try Time.measure {
                        for _ in 0..<repetitions {
                            let process = Process()
                            process.executableURL = folder.appendingPathComponent(program)
                            process.arguments = [url.path] + (takesModel ? [model.path] : [])
                            process.standardOutput = FileHandle.nullDevice
                            try process.run()
                            process.waitUntilExit()
                            guard process.terminationStatus == 0 else { throw BenchmarkError("\(program) fails") }
                        }
                    }
                    return Outcome(
                        Int64(repetitions),
                        time: Time(wall: time.wall, processor: Self.processorTimeOfChildren - children))
                }
            }
        }
        return Workload(
            name: "start", title: "start a process that opens a store of # rows, fetches one and ends", rows: 1000,
            checkedRows: 100, isScalable: false, group: .contexts,
            arms: [
                running(Arm.raw, "start-raw", takesModel: false),
                running(Arm.own, "start-coredata", takesModel: true),
            ],
            targets: [.time(beyond: Arm.raw, atMostMicroseconds: 20_000)], measuresResources: false)
    }

    /// The seconds that all processes which have ended took on processors.
    private static var processorTimeOfChildren: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    // MARK: Threads

    private static var twoThreads: Workload {
        let (one, two) = ("OpenCoreData, one thread", "OpenCoreData, two threads")
        /// Reads all rows twice, each time in a new context.
        func reading(_ name: String, _ run: @escaping (@Sendable (Int) -> Void) -> Void) -> Arm {
            Arm(name) { stage, rows in
                let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                let contexts = (0..<2).map { _ in
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = stack.coordinator
                    return context
                }
                return Measured(stack) { _ in
                    run { turn in
                        contexts[turn].performAndWait {
                            let request = NSFetchRequest<Reading>(entityName: "Reading")
                            request.returnsObjectsAsFaults = false
                            let objects = (try? contexts[turn].fetch(request)) ?? []
                            precondition(objects.count == rows)
                            precondition(objects.reduce(0) { $0 &+ $1.sum } != 0)
                        }
                    }
                    return Outcome(Int64(rows))
                }
            }
        }
        return Workload(
            name: "two-threads", title: "read # objects in each of two contexts of one coordinator", rows: 200_000,
            checkedRows: 1000, group: .contexts, clock: .wall,
            arms: [
                reading(one) { body in for turn in 0..<2 { body(turn) } },
                reading(two) { body in DispatchQueue.concurrentPerform(iterations: 2, execute: body) },
            ],
            targets: [.faster(two, than: one, atLeast: 1.8)], measuresResources: false)
    }
}
