import OpenCoreData

/// The answer of a process to a step, after the step has succeeded or thrown.
struct VersionAnswer: Codable {
    struct Failure: Codable {
        let domain: String
        let code: Int
        let text: String

        init(_ error: NSError) {
            domain = error.domain
            code = error.code
            text = "\(error) \(error.userInfo)"
        }
    }

    /// Why the step, or the opening before it, has thrown.
    var failure: Failure?
    /// Whether the store was open when the step began, or was opened by it.
    var isOpen = false
    /// Whether the step has written something, so that the history has a transaction of it.
    var isChange = false
    /// The contents that a step has fetched.
    var contents: VersionContents?
    /// The authors of the transactions in the history.
    var history: [String]?

    /// Whether the failure is a documented one: another program has migrated the store, or has it locked.
    var isKnownFailure: Bool {
        guard let failure else { return false }
        return failure.domain == NSCocoaErrorDomain && (hasOtherModel || failure.code == NSPersistentStoreTimeoutError)
    }

    var hasOtherModel: Bool { failure?.code == NSPersistentStoreIncompatibleVersionHashError }

    /// Two contexts have changed the counter.
    var isConflict: Bool { failure?.code == NSManagedObjectMergeError }
}

/// The settings of a process.
struct VersionSettings: Codable {
    var number: Int
    var version: Int
    /// Whether the versions have identifiers.
    var isNamed: Bool
    var journalMode: String
    /// Whether fetches return the entries of all owners.
    var readsAll: Bool
}

/// A process of a round, as the program sees it.
final class VersionProcess {
    let settings: VersionSettings
    private let process: ChildProcess
    private static let mark = "= "

    init(_ round: Round, _ folder: URL, _ settings: VersionSettings) throws {
        self.settings = settings
        process = try round.child(folder, hasInput: true)
        try process.send(Self.line(settings))
    }

    static func line(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line.utf8))
    }

    /// The line of an answer.
    static func line(answer: VersionAnswer) throws -> String { mark + (try line(answer)) }

    func send(_ step: VersionStep) throws { try process.send(Self.line(step)) }

    /// Waits for the next answer.
    ///
    /// - Returns: nil if the process has ended.
    func answer() throws -> VersionAnswer? {
        var others: [String] = []
        while let line = process.nextLine() {
            if line.hasPrefix(Self.mark) { return try Self.value(VersionAnswer.self, String(line.dropFirst(2))) }
            others.append(line)
        }
        // The other lines of an ended process are its failure, unless it was killed.
        output += others
        return nil
    }

    /// The lines of the process besides answers, when it has ended.
    private(set) var output: [String] = []

    func perform(_ step: VersionStep) throws -> VersionAnswer {
        try send(step)
        guard let answer = try answer() else {
            _ = try process.finish()
            throw FaultError("the process \(settings.number) ended in the step \(step): \(output)")
        }
        return answer
    }

    func kill() -> Bool { process.killed() }

    /// No steps follow.
    func endInput() { process.endInput() }

    /// Waits for the end of the process, without steps.
    func finish() throws {
        endInput()
        do { _ = try process.finish() } catch { throw FaultError("\(error) \(output)") }
    }
}
