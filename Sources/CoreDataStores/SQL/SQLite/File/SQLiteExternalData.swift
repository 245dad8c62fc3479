// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The values of binary attributes with external storage: a frame in the column, and a file beside the store for a
/// large value.
package struct SQLiteExternalData: Sendable {
    /// Values above this size are stored in files.
    static let threshold = 131_072

    private static let inlineMark: UInt8 = 1
    private static let fileMark: UInt8 = 2
    static let frameLength = 38

    /// The path of the store's file.
    let storePath: String

    /// Whether rows store large values, too. An encrypted database does: files would not be encrypted with it.
    private let keepsValuesInRows: Bool

    /// - Parameter storePath: the path of the store; the files are beside the file that a link names.
    package init(storePath: String, keepsValuesInRows: Bool = false) {
        self.storePath = OperatingSystem.resolvingLinks(storePath)
        self.keepsValuesInRows = keepsValuesInRows || SQLiteConnection.isMemory(storePath)
    }

    /// `.Music_SUPPORT` beside `Music.sqlite`.
    package var supportFolder: String {
        let store = URL(fileURLWithPath: storePath)
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
    }

    /// The folder of the files with the values. Stores whose names differ in their extensions share it: a file belongs
    /// to the store with a row that names it.
    package var dataFolder: String { supportFolder + "/_EXTERNAL_DATA" }

    /// Encodes a value for its column. The file of a large value is written before the transaction of the row commits.
    /// A database in memory and an encrypted one have no files.
    ///
    /// - Parameters:
    ///   - value: the value of the attribute.
    ///   - willCreate: called with the name of a file before it is created.
    /// - Returns: the value of the column, and the name of the file if one was written. The caller removes the file if
    ///   the save fails.
    func encode(_ value: Data, willCreate: (String) throws -> Void = { _ in }) throws -> (
        column: Data, file: String?
    ) {
        guard value.count > Self.threshold, !keepsValuesInRows else {
            return (Data([Self.inlineMark]) + value, nil)
        }
        let name = UUID().uuidString
        try willCreate(name)
        do {
            try createFolder()
            try OperatingSystem.createDurableFile(path(of: name), contents: value, permissionsOf: storePath)
        } catch {
            // An incomplete file must not remain.
            try? OperatingSystem.removePlainFile(path(of: name))
            throw wrapped(error, "The external data couldn\u{2019}t be written.", 512)
        }
        return (Self.column(naming: name), name)
    }

    /// Decodes the value of a column.
    ///
    /// - Parameter column: the value of the column.
    /// - Returns: the value of the attribute.
    /// - Throws: 259 if the frame is damaged, or names a link, a folder or a device, 260 if its file is missing.
    func decode(_ column: Data) throws -> Data {
        guard let mark = column.first else { return Data() }
        if mark == Self.inlineMark { return Data(column.dropFirst()) }
        guard let name = Self.fileName(in: column) else {
            throw SQLiteFileCheck.corrupt(storePath, "A value with external storage has a damaged frame.")
        }
        do {
            try checkFolder()
            return try OperatingSystem.contents(ofCompletePlainFile: path(of: name))
        } catch {
            throw wrapped(error, "The external data \(name) couldn\u{2019}t be read.", 260)
        }
    }

    /// The column of a value in a file.
    static func column(naming file: String) -> Data { Data([fileMark]) + Data(file.utf8) + Data([0]) }

    /// The name of the file that a column refers to; nil if the column contains the value itself.
    package static func fileName(in column: Data) -> String? {
        guard column.count == frameLength, column.first == fileMark, column.last == 0 else { return nil }
        let name = String(decoding: column.dropFirst().dropLast(), as: UTF8.self)
        // The name must be a UUID: a hostile store could name any path otherwise.
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Whether the file of a value exists.
    func exists(file name: String) -> Bool { size(of: name) != nil }

    /// The size of the file of a value in bytes; nil if there is none.
    func size(of name: String) -> UInt64? {
        guard hasFolder, case .file(let size) = OperatingSystem.plainKind(at: path(of: name)) else { return nil }
        return size
    }

    /// Removes the file of a value that no committed row refers to. Does nothing if the file is missing.
    package func remove(file name: String) throws {
        guard UUID(uuidString: name) != nil, hasFolder else { return }
        try OperatingSystem.removePlainFile(path(of: name))
    }

    /// Removes the folders if nothing is in them.
    func removeEmptyFolders() {
        OperatingSystem.removeEmptyFolder(dataFolder)
        OperatingSystem.removeEmptyFolder(supportFolder)
    }

    /// The names of the files in the folder, whatever stores they belong to.
    var namesInFolder: [String] { hasFolder ? OperatingSystem.names(inFolder: dataFolder) : [] }

    /// Waits until the disk has the names of the files that were made.
    func synchronizeFolder() { OperatingSystem.synchronizeFolder(dataFolder) }

    /// Whether the folder of the files is one. A link in its place isn't followed: it could lead to the files of
    /// another store.
    private var hasFolder: Bool { OperatingSystem.plainKind(at: dataFolder) == .directory }

    private func checkFolder() throws {
        if OperatingSystem.plainKind(at: dataFolder) == .other { throw noFolder }
    }

    private func createFolder() throws {
        if hasFolder { return }
        try checkFolder()
        try OperatingSystem.createFolder(dataFolder)
        for path in [supportFolder, OperatingSystem.folder(of: supportFolder)] {
            OperatingSystem.synchronizeFolder(path)
        }
    }

    private var noFolder: CocoaError {
        CoreDataErrors.cocoaError(
            .fileReadCorruptFile, message: "\(dataFolder) is no folder.", reason: "\(dataFolder) is no folder.",
            userInfo: [NSFilePathErrorKey: dataFolder])
    }

    /// Copies the file of a value from the folder of another store. It has its name only when it is complete.
    ///
    /// - Parameter willCreate: called with the name of an unfinished file before it is created.
    func copy(file name: String, from other: SQLiteExternalData, willCreate: (String) throws -> Void) throws {
        let unfinished = UUID().uuidString
        try willCreate(unfinished)
        do {
            try other.checkFolder()
            try createFolder()
            try OperatingSystem.copyPlainFileDurably(other.path(of: name), to: path(of: unfinished))
            try OperatingSystem.renameDurably(path(of: unfinished), to: path(of: name))
        } catch {
            try? OperatingSystem.removePlainFile(path(of: unfinished))
            throw wrapped(error, "The external data \(name) of \(other.storePath) couldn\u{2019}t be copied.", 512)
        }
    }

    private func path(of name: String) -> String { dataFolder + "/" + name }

    func wrapped(_ error: any Error, _ reason: String, _ fallback: Int) -> NSError {
        let cause = error as NSError
        let code = cause.domain == NSCocoaErrorDomain ? cause.code : fallback
        let suggestion =
            code == SQLiteErrors.fileWriteOutOfSpace
            ? "Free space on the volume, and try again." : "Keep the store together with its folder \(supportFolder)."
        return SQLiteErrors.storeError(
            code, path: storePath, reason: reason, suggestion: suggestion, userInfo: [NSUnderlyingErrorKey: cause])
    }
}
