import CoreData
import TestSupport
import Testing

@Suite("Ending coredata store browse")
struct BrowserSignalTests {
    @Test("A signal right after the URL is printed ends the process", arguments: [SIGINT, SIGTERM])
    func atOnce(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        for _ in 0..<10 {
            let process = Process()
            let output = Pipe()
            process.executableURL = CommandRun.executable
            process.arguments = ["store", "browse", store]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            kill(process.processIdentifier, signal)
            expectTrue(text.hasPrefix("Open http://"))
            // A signal that is lost leaves the process running, and this test waiting until its time limit.
            process.waitUntilExit()
            expectEqual(process.terminationReason, .exit)
            expectEqual(process.terminationStatus, 0)
        }
    }
}
