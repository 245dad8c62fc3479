import CoreDataModel

/// The progress of a worker. It is written to a small file before each mutant, so that the file has the number of the
/// mutant that crashed the worker.
struct Progress: Equatable {
    /// The number of the current mutant; -1 before the first.
    var number = -1
    var accepted = 0
    var refused = 0

    private var text: String {
        "\(number) \(accepted) \(refused)".padding(toLength: 60, withPad: " ", startingAt: 0) + "\n"
    }

    func write(to file: FileHandle) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
    }

    /// The state in the file; nil if there is none yet.
    static func read(_ url: URL) -> Progress? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let numbers = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        return Progress(number: numbers[0], accepted: numbers[1], refused: numbers[2])
    }
}
