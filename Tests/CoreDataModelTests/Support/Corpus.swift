import CoreDataModel

/// Real models and stores, found by `COREDATA_CORPUS` or beside the package. Tests that need them are skipped without
/// them.
enum Corpus {
    static let folder: URL? = {
        let environment = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let beside = root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return [environment, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static var isPresent: Bool { folder != nil }

    static func url(_ path: String) throws -> URL {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent(path)
    }
}
