import Foundation

/// The corpus: real models and stores that Apple's tools made.
///
/// The corpus is no part of the repository. The environment variable `COREDATA_CORPUS` names its folder; without it
/// the tests look beside the package. Tests that need the corpus are skipped where it is missing. They open copies.
public enum Corpus {
    public static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = named ?? package.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("chat").path) ? folder : nil
    }()

    public static var isPresent: Bool { folder != nil }

    /// Stores of old frameworks, which have no model cache, with the source models that they were made from.
    public static let storesWithoutModel: [(store: String, model: String)] = [
        ("recipes/Recipes.sqlite", "recipes/Recipes.xcdatamodeld"),
        ("tweets/RKSeedDatabase.sqlite", "tweets/RKTwitterCoreData.xcdatamodel"),
    ]

    /// The item at a path below the corpus.
    public static func url(_ path: String) throws -> URL {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent(path)
    }

    public static func path(_ path: String) throws -> String { try url(path).path }

    /// The paths of the items in a folder of the corpus that have the ending, sorted.
    public static func files(in path: String, ending: String) -> [String] {
        guard let folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
        else { return [] }
        return names.filter { $0.hasSuffix(ending) }.sorted().map { path + "/" + $0 }
    }

    /// Copies a store and its write-ahead log into a folder and makes the copies writable.
    public static func copyStore(_ path: String, into target: TemporaryFolder, as name: String) throws -> String {
        let source = try url(path).path
        let copy = target.path(name)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: copy + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy + suffix)
        }
        return copy
    }
}
