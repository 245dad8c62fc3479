import Foundation

/// The plugin under test, in a separate process, called as by the compiler.
final class PluginClient {
    struct Answer {
        let source: String?
        /// The messages with their positions in the file.
        let diagnostics: [String]
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(path: String) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = try send(["getCapability": ["capability": ["protocolVersion": 7]]])
        guard answer["getCapabilityResult"] != nil else { throw Failure(description: "no capability: \(answer)") }
    }

    func expand(_ call: [String: Any]) throws -> Answer {
        let answer = try send(["expandAttachedMacro": call])
        guard let result = answer["expandMacroResult"] as? [String: Any] else {
            throw Failure(description: "no expansion: \(answer)")
        }
        let diagnostics = (result["diagnostics"] as? [[String: Any]] ?? []).map { diagnostic in
            let position = diagnostic["position"] as? [String: Any]
            return "\(position?["offset"] as? Int ?? -1): \(diagnostic["message"] as? String ?? "")"
        }
        return Answer(source: result["expandedSource"] as? String, diagnostics: diagnostics)
    }

    private func send(_ message: [String: Any]) throws -> [String: Any] {
        let body = try JSONSerialization.data(withJSONObject: message)
        let header = withUnsafeBytes(of: UInt64(body.count).littleEndian) { Data($0) }
        try input.fileHandleForWriting.write(contentsOf: header + body)
        let length = try read(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let answer = try JSONSerialization.jsonObject(with: read(length)) as? [String: Any] else {
            throw Failure(description: "the answer is no object")
        }
        return answer
    }

    private func read(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count {
            guard let part = try output.fileHandleForReading.read(upToCount: count - data.count), !part.isEmpty else {
                throw Failure(description: "the plugin has ended")
            }
            data += part
        }
        return data
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
