// SPDX-License-Identifier: Apache-2.0

/// A store whose URLs don't name files. Several URLs may name one store, and a URL may contain a password.
package protocol StoreAddressing: NSPersistentStore {
    /// The text that all URLs of one store have in common; nil for a URL of another kind.
    static func address(of url: URL) -> String?
    /// The URL without passwords, for errors, logs and `NSPersistentStore.url`.
    static func publicURL(of url: URL) -> URL
    /// One URL for the place of a store that a URL and the options describe together.
    static func location(_ url: URL, options: [AnyHashable: Any]?) -> URL
}

extension URL {
    /// Whether two URLs name the same store; symbolic links count as their targets, and the names of one file (hard
    /// links) as one.
    package func namesSameStore(as other: URL) -> Bool {
        if isFileURL && other.isFileURL {
            return standardizedFileURL == other.standardizedFileURL
                || resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
                || isSameFile(as: other)
        }
        if let addressing = StoreTypeRegistry.addressing(of: self), let address = addressing.address(of: other) {
            return addressing.address(of: self) == address
        }
        return absoluteURL == other.absoluteURL
    }

    private func isSameFile(as other: URL) -> Bool {
        // Stores in memory have one URL.
        guard !OperatingSystem.isNullDevice(path), let identity = DatabaseFiles.identity(of: path) else { return false }
        return identity == DatabaseFiles.identity(of: other.path)
    }

    /// The URL without passwords, also if no store type is known for it.
    package var withoutSecrets: URL {
        if isFileURL { return self }
        if let addressing = StoreTypeRegistry.addressing(of: self) { return addressing.publicURL(of: self) }
        let text =
            absoluteString
            .replacing(/(:\/\/[^\/?#:@]*):[^\/?#]*@/) { "\($0.1)@" }
            .replacing(/([?&][^=&#]*(?i:password)[^=&#]*=)[^&#]*/) { "\($0.1)" }
        return URL(string: text) ?? self
    }

    /// The place of a store in the user info of an error. Only files have a path.
    var errorInfo: [String: Any] {
        isFileURL ? [NSFilePathErrorKey: path, NSURLErrorKey: self] : [NSURLErrorKey: withoutSecrets]
    }

    /// The place of a store in messages: the path of a file, or the URL without passwords.
    package var storeText: String { isFileURL ? path : withoutSecrets.absoluteString }
}
