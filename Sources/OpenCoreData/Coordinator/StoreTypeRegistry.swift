// SPDX-License-Identifier: Apache-2.0

/// The store types that coordinators can add, by name. A lock guards the list.
package enum StoreTypeRegistry {
    private static let types = Locked(RegisteredStoreType.builtIn)

    /// Registers a class for a store type; nil removes the type.
    package static func register(_ type: RegisteredStoreType?, forType name: String) {
        types.withLock { $0[name] = type }
    }

    /// The class of stores that reads a URL of a server; nil for other URLs.
    static func addressing(of url: URL) -> (any StoreAddressing.Type)? {
        if url.isFileURL { return nil }
        return types.withLock { $0.values.compactMap(\.addressing) }.first { $0.address(of: url) != nil }
    }

    /// The operations on a store of unknown type: those of the type that reads the URL, otherwise those of SQLite
    /// stores.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) if the program has removed that type, and
    ///   `NSFileReadUnsupportedSchemeError` (262) for another URL than one of a file.
    static func operations(at url: URL) throws -> any ClosedStoreOperations.Type {
        if let type = addressing(of: url) as? any ClosedStoreOperations.Type { return type }
        let name = RegisteredStoreType.nameForFiles
        return try type(named: name).storeClass(at: url, type: name)
    }

    /// The registered type of a name.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a name that is not registered.
    package static func type(named name: String) throws -> RegisteredStoreType {
        let (type, names) = types.withLock { ($0[name], $0.keys.sorted()) }
        if let type { return type }
        throw CoreDataErrors.error(
            NSPersistentStoreInvalidTypeError,
            "The store type \u{201c}\(name)\u{201d} is not known.", reason: "No store class is registered for it.",
            suggestion: "Use one of the known types: \(names.joined(separator: ", ")).")
    }
}

/// A store type: its class and the URLs that its stores have.
package struct RegisteredStoreType: Sendable {
    /// Which URLs the stores of a type have.
    package enum Locations: Sendable {
        /// URLs of files. A coordinator adds each file once.
        case files
        /// Any URL. A coordinator adds each URL once.
        case anyURL
        /// The URL is ignored: the store keeps its objects elsewhere, and any number of stores may have the same URL.
        case ignored(placeholder: URL)
    }

    /// The class of the stores, which has the operations on closed ones, too.
    let storeClass: any ClosedStoreOperations.Type
    let locations: Locations

    package init(storeClass: any ClosedStoreOperations.Type, locations: Locations) {
        self.storeClass = storeClass
        self.locations = locations
    }

    /// The class that reads the URLs of the type; nil for a type whose URLs are compared as they are written.
    var addressing: (any StoreAddressing.Type)? { storeClass as? any StoreAddressing.Type }

    /// The URL at which a store is added.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) if the type needs a URL, and `NSFileReadUnsupportedSchemeError`
    ///   (262) for a URL that isn't a file URL, if the type is of files.
    func location(_ url: URL?, type: String, options: [AnyHashable: Any]? = nil) throws -> URL {
        if case .ignored(let placeholder) = locations { return url ?? placeholder }
        guard let url else {
            throw CoreDataErrors.error(
                NSPersistentStoreOpenError, "A store of type \(type) needs a URL.", reason: "The URL is nil.",
                suggestion: "Give the URL of the store.")
        }
        try check(url, type: type)
        return addressing?.location(url, options: options) ?? url
    }

    /// The class with the operations on a closed store.
    ///
    /// - Throws: 262 for a URL that isn't a file URL, if the type is of files: its path could be that of another store.
    func storeClass(at url: URL, type: String) throws -> any ClosedStoreOperations.Type {
        try check(url, type: type)
        return storeClass
    }

    private func check(_ url: URL, type: String) throws {
        if case .files = locations, !url.isFileURL {
            throw CoreDataErrors.error(
                CocoaError.Code.fileReadUnsupportedScheme.rawValue,
                "A store of type \(type) can\u{2019}t be at \(url.withoutSecrets.absoluteString).",
                reason: "A store of this type is a file, and the URL names no file.",
                suggestion: "Give a file URL: URL(fileURLWithPath:).", userInfo: [NSURLErrorKey: url.withoutSecrets])
        }
    }
}
