import CoreDataPredicates

/// The folder of real models and stores, which are not part of the package.
enum ArchiveCorpus {
    static let url: URL = {
        if let path = ProcessInfo.processInfo.environment["COREDATA_CORPUS"] { return URL(fileURLWithPath: path) }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    }()

    static func file(_ path: String) -> URL { url.appendingPathComponent(path) }

    static let isThere = FileManager.default.fileExists(atPath: file("shop/SampleModel.momd").path)
}
