import CoreDataModel

/// How far a worker has come. It says so in a small file before every mutant, so that the file tells which one ended
/// it.
struct Progress: Equatable {
    /// The mutant at work; -1 before the first.
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
