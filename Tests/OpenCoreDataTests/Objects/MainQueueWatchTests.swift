import OpenCoreData
import Testing

/// Programs whose main queue nobody runs: here a process of its own, whose main queue is kept busy for ever.
@Suite("A main queue that nobody runs")
struct MainQueueWatchTests {
    /// Runs a body in a process whose main queue stands still, until some texts have been logged.
    private static func log(until texts: String..., body: () -> Void) {
        let pipe = Pipe()
        let standardError = dup(2)
        dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
        DispatchQueue.main.async { DispatchSemaphore(value: 0).wait() }
        MainQueueWatch.shared.patience = 0.2
        body()
        var logged = Data()
        while !texts.allSatisfy({ String(decoding: logged, as: UTF8.self).contains($0) }) {
            logged += pipe.fileHandleForReading.availableData
        }
        FileHandle(fileDescriptor: standardError).write(logged)
        exit(0)
    }

    private static func context(_ name: String) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.name = name
        return context
    }

    @Test("performAndWait that waits too long says who waits, for which context, and what to do")
    func waiting() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Self.log(until: "told once") {
                let context = Self.context("view")
                DispatchQueue(label: "server.request").async { context.performAndWait {} }
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in [
            "performAndWait(_:) of the main-queue context 'view'", "has waited", "'server.request'", "dispatchMain()",
            "newBackgroundContext()",
        ] {
            #expect(said.contains(part), "\(said)")
        }
    }

    @Test("so do blocks that nobody waits for, or only a task, once for each context")
    func asynchronous() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let first = Self.context("first")
            let second = Self.context("second")
            func enqueue(_ context: NSManagedObjectContext) { context.perform {} }
            Self.log(until: "'first'", "'second'") {
                enqueue(first)
                enqueue(first)
                Task { await second.perform(schedule: .enqueued) {} }
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.components(separatedBy: "'first'").count == 2, "\(said)")
        #expect(said.contains("perform(_:) of the main-queue context 'first'"), "\(said)")
        #expect(said.contains("perform(schedule:_:) of the main-queue context 'second'"), "\(said)")
    }

    @Test("a private queue that is busy for long, and a main queue that runs, are no matter")
    func silence() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let context = NSManagedObjectContext(.privateQueue)
            let main = Self.context("view")
            context.name = "import"
            for _ in 0..<20 { await main.perform(schedule: .enqueued) {} }
            MainQueueWatch.shared.patience = 0.05
            func enqueue(_ block: @escaping () -> Void) { context.perform(block) }
            enqueue { Thread.sleep(forTimeInterval: 0.3) }
            await context.perform {}
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!said.contains("'import'") && !said.contains("told once"), "\(said)")
    }
}
