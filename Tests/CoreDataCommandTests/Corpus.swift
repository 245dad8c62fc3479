import CoreData

extension Corpus {
    static let chatStores = files(in: "chat/stores", ending: ".sqlite").sampled(3)

    /// All stores, with a model for those that have no model cache.
    static let stores: [(store: String, model: String?)] =
        (chatStores + files(in: "shop", ending: ".sqlite")).map { ($0, nil) }
        + storesWithoutModel.map { ($0.store, $0.model) }

    /// Copies a store into a folder, where it may be opened.
    static func copy(_ name: String, into target: TemporaryFolder) throws -> String {
        try copyStore(name, into: target, as: "store.sqlite")
    }
}
