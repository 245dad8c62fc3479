import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// The server whose answers are measured: of this process, or a process of its own behind HTTP.
protocol MeasuredServer: Sendable {
    func answer(_ request: SyncRequest, for device: Int) throws -> SyncResponse
    /// Waits until a device asks for changes again.
    func waitForNews(of device: Int)
    /// The processor time that the server has used, in seconds, if it is a process of its own.
    var processorTime: Double? { get }
}

/// A server of this process. Devices ask again after an interval.
struct LocalServer: MeasuredServer, @unchecked Sendable {
    // Sendable: the service has a queue of its own.
    let service: SyncService
    let interval: Double

    func answer(_ request: SyncRequest, for device: Int) -> SyncResponse {
        service.answer(request, account: SyncAccount("user\(device)"))
    }

    func waitForNews(of device: Int) { Thread.sleep(forTimeInterval: interval) }

    var processorTime: Double? { nil }
}

/// The program `coredata-serve`, whose devices listen to news.
final class ServedProcess: MeasuredServer, @unchecked Sendable {
    // Sendable: nothing changes after the start.

    struct Settings {
        let program: URL
        let model: URL
        let store: String
        var devices = 0
        var scopes: [String] = []
    }

    private let process = Process()
    private let output = Pipe()
    private let port: Int
    private let transports: [HTTPTransport]
    private let news: [DispatchSemaphore]
    private var listening: [Task<Void, Never>] = []

    init(_ settings: Settings, in folder: TemporaryFolder) throws {
        let tokens = try folder.write(
            (0..<settings.devices).map { "user\($0) \(Self.token($0))\n" }.joined(), to: "tokens")
        process.executableURL = settings.program
        process.arguments =
            [settings.model.path, "--store", settings.store, "--tokens", tokens.path, "--port", "0"]
            + settings.scopes.flatMap { ["--scope", $0] }
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        port = try Self.port(in: output.fileHandleForReading)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw SimulationFailure("No URL.") }
        transports = (0..<settings.devices).map { device in HTTPTransport(url) { Self.token(device) } }
        news = transports.map { _ in DispatchSemaphore(value: 0) }
    }

    private static func token(_ device: Int) -> String { "token-of-device-\(device)" }

    /// Reads the output until the program says its port, and then in the background.
    private static func port(in handle: FileHandle) throws -> Int {
        var text = ""
        while true {
            let data = handle.availableData
            guard !data.isEmpty else { throw SimulationFailure("The server has ended: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            guard let match = text.firstMatch(of: #/port=(\d+)/#), let port = Int(match.1) else { continue }
            handle.readabilityHandler = { _ = $0.availableData }
            return port
        }
    }

    func end() {
        for task in listening { task.cancel() }
        process.terminate()
        process.waitUntilExit()
    }

    // MARK: Requests

    func answer(_ request: SyncRequest, for device: Int) throws -> SyncResponse {
        let (end, result) = (DispatchSemaphore(value: 0), LockedValue<Result<SyncResponse, any Error>?>(nil))
        let transport = transports[device]
        Task {
            do {
                let response = try await transport.answer(request)
                result.withLock { $0 = .success(response) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            end.signal()
        }
        end.wait()
        guard let result = result.withLock({ $0 }) else { throw SimulationFailure("No answer.") }
        return try result.get()
    }

    func listen() {
        for (transport, news) in zip(transports, news) {
            listening.append(
                Task {
                    do {
                        for try await _ in transport.news() { news.signal() }
                    } catch {}
                })
        }
    }

    func waitForNews(of device: Int) {
        _ = news[device].wait(timeout: .now() + 1)
        // One request answers all news before it.
        while news[device].wait(timeout: .now()) == .success {}
    }

    // MARK: Listeners without requests

    /// Opens connections that listen to news and ask for nothing.
    func openListeners(_ count: Int) throws -> [FileHandle] {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return try (0..<count).map { number in
            let descriptor = try Self.connection(to: port)
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let head = """
                GET /sync/news HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r
                Authorization: Bearer \(Self.token(number % transports.count))\r\n\r\n
                """
            try handle.write(contentsOf: Data(head.utf8))
            // The head of the answer: from here on the device hears of news.
            guard !handle.availableData.isEmpty else { throw SimulationFailure("The server has ended a connection.") }
            return handle
        }
    }

    private static func connection(to port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw SimulationFailure("No connection: \(errno).") }
        return descriptor
    }

    // MARK: Cost

    /// The megabytes of the process that are in memory.
    var megabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (pages * sysconf(Int32(_SC_PAGESIZE))) >> 20
    }

    var processorTime: Double? {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // The name of the program, in parentheses, may have spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
