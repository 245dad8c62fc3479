import CoreDataPredicates

/// The values of binary attributes with external storage: a frame in the column, and for large ones a file beside the
/// store.
package struct SQLiteExternalData: Sendable {
    /// Values above this size go into files.
    package static let threshold = 131_072

    private static let inlineMark: UInt8 = 1
    private static let fileMark: UInt8 = 2
    private static let frameLength = 38

    /// The store's file.
    let storePath: String

    package init(storePath: String) {
        self.storePath = storePath
    }

    /// `.Music_SUPPORT` beside `Music.sqlite`.
    package var supportFolder: String {
        let store = URL(fileURLWithPath: storePath)
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
    }

    package var dataFolder: String { supportFolder + "/_EXTERNAL_DATA" }

    /// What the column gets for a value. A file is written now, before the row's transaction commits.
    ///
    /// - Returns: The framed value, and the name of the file if one was written, to be removed should the save fail.
    package func encode(_ value: Data) throws -> (column: Data, file: String?) {
        guard value.count > Self.threshold else { return (Data([Self.inlineMark]) + value, nil) }
        let name = UUID().uuidString
        do {
            try OperatingSystem.createFolder(dataFolder)
            try OperatingSystem.createFile(path(of: name), contents: value)
        } catch {
            // Whatever was begun must not stay.
            try? OperatingSystem.remove(path(of: name))
            throw wrapped(error, "The external data couldn\u{2019}t be written.", 512)
        }
        return (Data([Self.fileMark]) + Data(name.utf8) + Data([0]), name)
    }

    /// The value that a column stands for.
    ///
    /// - Throws: 259 if the frame is damaged, 260 if its file is missing.
    package func decode(_ column: Data) throws -> Data {
        guard let mark = column.first else { return Data() }
        if mark == Self.inlineMark { return Data(column.dropFirst()) }
        guard let name = Self.fileName(in: column) else {
            throw SQLiteFileCheck.corrupt(storePath, "A value with external storage has a damaged frame.")
        }
        do {
            return try OperatingSystem.contents(of: path(of: name))
        } catch {
            throw wrapped(error, "The external data \(name) couldn\u{2019}t be read.", 260)
        }
    }

    /// The name of the file that a column refers to, if it does.
    package static func fileName(in column: Data) -> String? {
        guard column.count == frameLength, column.first == fileMark, column.last == 0 else { return nil }
        let name = String(decoding: column.dropFirst().dropLast(), as: UTF8.self)
        // Only a UUID: a hostile file could name any path otherwise.
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Removes a value's file, after the change that made it superfluous is committed. A missing one is fine.
    package func remove(file name: String) throws {
        guard UUID(uuidString: name) != nil else { return }
        try OperatingSystem.remove(path(of: name))
    }

    private func path(of name: String) -> String { dataFolder + "/" + name }

    private func wrapped(_ error: any Error, _ reason: String, _ fallback: Int) -> NSError {
        let cause = error as NSError
        let code = cause.domain == NSCocoaErrorDomain ? cause.code : fallback
        return SQLiteErrors.storeError(
            code, path: storePath, reason: reason,
            suggestion: "Keep the store together with its folder \(supportFolder).",
            userInfo: [NSUnderlyingErrorKey: cause])
    }
}
