import CoreDataModel

/// Files of real programs, from `COREDATA_CORPUS` or beside the package. Without them, only the samples in code are
/// used.
enum SampleFiles {
    private static let folder: URL? = {
        let environment = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return [environment, root.appendingPathComponent("shared/corpus")].compactMap { $0 }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    private static let paths: [String] = {
        guard let folder, let found = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return found.compactMap { $0 as? String }.sorted()
    }()

    /// A number of files with a name, evenly selected from those that are small enough for fast mutation.
    static func corpus(named name: String, limit: Int) -> [Data] { files(limit) { $0 == name } }

    static func corpus(withExtension fileExtension: String, limit: Int) -> [Data] {
        files(limit) { $0.hasSuffix("." + fileExtension) }
    }

    private static func files(_ limit: Int, where fits: (String) -> Bool) -> [Data] {
        let fitting = paths.filter { path in path.split(separator: "/").last.map { fits(String($0)) } ?? false }
        let step = max(1, fitting.count / limit)
        return stride(from: 0, to: fitting.count, by: step).prefix(limit).compactMap { index in
            folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(fitting[index])) }
        }.filter { $0.count < 200_000 }
    }
}
