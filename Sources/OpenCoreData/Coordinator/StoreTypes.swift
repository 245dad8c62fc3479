/// The kinds of stores that can be added.
struct StoreTypes {
    let storeClass: NSPersistentStore.Type
    /// The URL of a store that has no file.
    let defaultURL: URL?

    private static let known: [String: StoreTypes] = [
        NSSQLiteStoreType: StoreTypes(storeClass: SQLiteStore.self, defaultURL: nil),
        NSInMemoryStoreType: StoreTypes(storeClass: MemoryStore.self, defaultURL: URL(fileURLWithPath: "/dev/null")),
    ]

    static func type(named name: String) throws -> StoreTypes {
        if let type = known[name] { return type }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreInvalidTypeError,
            userInfo: [
                NSLocalizedDescriptionKey: """
                The store type \u{201c}\(name)\u{201d} is not known. Known types: \
                \(known.keys.sorted().joined(separator: ", ")).
                """
            ])
    }
}
