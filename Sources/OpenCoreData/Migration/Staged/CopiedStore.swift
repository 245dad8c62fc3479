// SPDX-License-Identifier: Apache-2.0

/// The copy of a store that a migration works on, in the folder of unfinished files.
///
/// Errors about the copy name its file, which is gone when they are read. ``naming(_:)`` makes them name the store.
package struct CopiedStore {
    /// The URL of the copy.
    let url: URL
    private let folder: String
    private let storeFolder: String

    /// - Parameter store: the URL of the store.
    package init(of store: URL) {
        let folder = MigrationLock.folder(of: store)
        url = folder.appendingPathComponent(store.lastPathComponent)
        self.folder = folder.path
        storeFolder = store.deletingLastPathComponent().path
    }

    /// An error that names the store in place of the copy, with the same domain, code and keys, also in the errors
    /// under its keys. An error that doesn't name the copy, or is of another class, stays as it is.
    package func naming(_ error: any Error) -> any Error {
        guard type(of: error) == NSError.self else { return error }
        return renamed(error as NSError) ?? error
    }

    /// A text that names the store in place of the copy.
    package func naming(_ text: String) -> String { text.replacingOccurrences(of: folder, with: storeFolder) }

    private func renamed(_ error: NSError) -> NSError? {
        let changed = error.userInfo.compactMapValues(renamed)
        if changed.isEmpty { return nil }
        return CoreDataErrors.replacing(changed, in: error)
    }

    /// The value of a key; nil if it doesn't name the copy.
    private func renamed(_ value: Any) -> Any? {
        switch value {
        case let text as String: text.contains(folder) ? naming(text) : nil
        case let url as URL: url.path.contains(folder) ? URL(fileURLWithPath: naming(url.path)) : nil
        case let errors as [NSError]:
            errors.contains { renamed($0) != nil } ? errors.map { renamed($0) ?? $0 } : nil
        case let error as NSError: renamed(error)
        default: nil
        }
    }
}
