import CoreDataModel

/// A kind of untrusted file.
protocol InputKind: Sendable {
    /// The name on the command line.
    var name: String { get }
    var form: MutationForm { get }

    /// Valid files of the kind, always in the same order.
    func samples() throws -> [Data]

    /// Reads a mutant as a program would, and uses the result.
    ///
    /// - Parameters:
    ///   - mutant: the bytes of the damaged file.
    ///   - folder: an empty folder for the mutant.
    ///   - number: the number of the mutant. Slow checks run for some mutants only.
    /// - Throws: `Finding` for a defect.
    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome
}

/// The outcome for a mutant.
enum Outcome: Sendable {
    /// It was read, and the result was usable.
    case accepted
    /// It was refused with a proper error.
    case refused
}

/// A defect without a crash.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// An error of the fuzzer itself.
struct FuzzError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension InputKind {
    /// Reads a mutant, and checks an error: only a proper one is a refusal.
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

/// Checks errors about untrusted files.
enum Refusal {
    /// - Throws: `Finding` if the error isn't a Cocoa error, or lacks the file or a reason.
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
