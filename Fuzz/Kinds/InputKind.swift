import CoreDataModel

/// A kind of file that comes from outside.
protocol InputKind: Sendable {
    /// The name on the command line.
    var name: String { get }
    var form: MutationForm { get }

    /// Sound files of the kind, always in the same order.
    func samples() throws -> [Data]

    /// Reads a mutant the way a program would, and uses what came of it.
    ///
    /// - Parameters:
    ///   - mutant: the damaged file's bytes.
    ///   - folder: an empty folder of the mutant's own.
    ///   - number: the mutant's number; what is slow is done for some of them only.
    /// - Throws: `Finding` for what must not happen.
    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome
}

/// What became of a mutant.
enum Outcome: Sendable {
    /// It was read, and what it gave was fit for use.
    case accepted
    /// It was refused by a proper error.
    case refused
}

/// Something that must not happen, short of a crash.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What keeps the fuzzer itself from working.
struct FuzzError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension InputKind {
    /// Reads something; an error is looked at, and only a proper one counts as a refusal.
    ///
    /// - Returns: nil for a refusal.
    func read<Value>(naming file: URL, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch {
            try Refusal.check(error, naming: file)
            return nil
        }
    }
}

/// What an error about a file from outside must be.
enum Refusal {
    /// - Throws: `Finding` if the error isn't one of Cocoa's, doesn't say the file, or says nothing else.
    static func check(_ error: any Error, naming file: URL) throws {
        guard let error = error as? CocoaError else { throw Finding("an error that is none of Cocoa's: \(error)") }
        let text = error.localizedDescription
        guard let path = error.userInfo[NSFilePathErrorKey] as? String, path.hasPrefix(file.path) else {
            throw Finding("an error that doesn't name its file: \(text)")
        }
        guard text.contains(URL(fileURLWithPath: path).lastPathComponent) else {
            throw Finding("an error whose text doesn't name its file: \(text)")
        }
        guard text.count < 100_000 else { throw Finding("an error of \(text.count) characters") }
    }
}
