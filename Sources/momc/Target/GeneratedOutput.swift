import CoreDataClasses

/// Files that a build waits for: written only when they would differ, so that what depends on them isn't built again.
enum GeneratedOutput {
    /// The text of a file that the package manager waits for, but that isn't needed.
    static let nothing = "// Nothing is needed here.\n"

    /// - Throws: the file system's error.
    static func write(_ text: String, to path: String) throws {
        let url = URL(fileURLWithPath: path)
        let data = Data(text.utf8)
        if let existing = try? Data(contentsOf: url), existing == data { return }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url, options: .atomic)
    }
}
