import Testing

@testable import OpenCoreData

/// Programs whose main queue does not run: processes whose main queue is blocked.
@Suite("A main queue that does not run")
struct MainQueueMonitorTests {
    /// Blocks the main queue, runs a body, and waits until some texts are logged. Runs in a separate process.
    private static func log(until texts: String..., body: () -> Void) {
        let pipe = Pipe()
        let standardError = dup(2)
        dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
        DispatchQueue.main.async { DispatchSemaphore(value: 0).wait() }
        MainQueueMonitor.shared.warningDelay = 0.2
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

    @Test("performAndWait that waits too long logs its queue, its context and the remedy")
    func waiting() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Self.log(until: "logged once") {
                let context = Self.context("view")
                DispatchQueue(label: "server.request").async { context.performAndWait {} }
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in [
            "performAndWait(_:) of the main-queue context 'view'", "has waited", "'server.request'", "dispatchMain()",
            "newBackgroundContext()",
        ] {
            expectContains(output, part, "\(output)")
        }
    }

    @Test("asynchronous blocks that wait too long are logged, once for each context")
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
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectEqual(output.components(separatedBy: "'first'").count, 2, "\(output)")
        expectContains(output, "perform(_:) of the main-queue context 'first'", "\(output)")
        expectContains(output, "perform(schedule:_:) of the main-queue context 'second'", "\(output)")
    }

    @Test("a busy private queue, and a main queue that runs, are not logged")
    func silence() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let context = NSManagedObjectContext(.privateQueue)
            let main = Self.context("view")
            context.name = "import"
            for _ in 0..<20 { await main.perform(schedule: .enqueued) {} }
            MainQueueMonitor.shared.warningDelay = 0.05
            func enqueue(_ block: @escaping @Sendable () -> Void) { context.perform(block) }
            enqueue { Thread.sleep(forTimeInterval: 0.3) }
            await context.perform {}
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!output.contains("'import'"), "\(output)")
        #expect(!output.contains("logged once"), "\(output)")
    }
}
