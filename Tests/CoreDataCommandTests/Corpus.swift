import CoreData

/// The corpus of real models and stores, where it is at hand: by `COREDATA_CORPUS`, or beside the package.
enum Corpus {
    static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = given ?? root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("chat").path) ? folder : nil
    }()

    static var isPresent: Bool { folder != nil }

    /// Paths below the corpus of the files in a folder with this ending, sorted.
    static func files(in place: String, ending: String) -> [String] {
        guard let folder else { return [] }
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(place).path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map { place + "/" + $0 }
    }

    static let chatStores = files(in: "chat/stores", ending: ".sqlite")
    static let chatModels = files(in: "chat/zmessaging.xcdatamodeld", ending: ".xcdatamodel")

    /// All stores, with the model that those need which keep none.
    static let stores: [(store: String, model: String?)] =
        (chatStores + files(in: "shop", ending: ".sqlite")).map { ($0, nil) } + oldStores.map { ($0.store, $0.model) }

    static let oldStores: [(store: String, model: String)] = [
        ("recipes/Recipes.sqlite", "recipes/Recipes.xcdatamodeld"),
        ("tweets/RKSeedDatabase.sqlite", "tweets/RKTwitterCoreData.xcdatamodel"),
    ]

    static func path(_ name: String) throws -> String {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent(name).path
    }

    /// Copies a store into a folder, where it may be opened.
    static func copy(_ name: String, into target: TemporaryFolder) throws -> String {
        let copy = target.path("store.sqlite")
        try FileManager.default.copyItem(atPath: path(name), toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
        return copy
    }
}
