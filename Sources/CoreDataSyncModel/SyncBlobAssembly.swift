// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A large value that is put together of its parts. One beyond 64 MiB is in a file, whose name is removed at the end,
/// and is mapped: it takes no memory that the system can't take back.
///
/// A smaller one isn't mapped: Foundation maps a file for reading. On Linux a program that changes the bytes in place
/// would crash.
struct SyncBlobAssembly {
    private var data = Data()
    private var file: FileHandle?
    private let url: URL

    private static let mostBytesInMemory = 64 << 20

    /// The value of the parts that a function gives one after the other, until it gives nil.
    ///
    /// - Throws: errors of the folder for temporary files.
    static func assembled(_ blob: SyncBlob, _ next: (Int64) throws -> Data?) throws -> Data {
        var assembly = try SyncBlobAssembly(blob)
        defer { assembly.removeFile() }
        var offset: Int64 = 0
        while offset < blob.size, let part = try next(offset), !part.isEmpty {
            try assembly.append(part)
            offset += Int64(part.count)
        }
        return try assembly.contents()
    }

    private init(_ blob: SyncBlob) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-blob-\(UUID().uuidString)")
        guard blob.size > Self.mostBytesInMemory else { return }
        let permissions = [FileAttributeKey.posixPermissions: NSNumber(value: 0o600)]
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: permissions) else {
            throw SyncFileError(folder: url.deletingLastPathComponent().path)
        }
        file = try FileHandle(forUpdating: url)
    }

    private mutating func append(_ part: Data) throws {
        if let file { try file.write(contentsOf: part) } else { data.append(part) }
    }

    private func contents() throws -> Data {
        file == nil ? data : try Data(contentsOf: url, options: .alwaysMapped)
    }

    private func removeFile() {
        guard let file else { return }
        try? file.close()
        try? FileManager.default.removeItem(at: url)
    }
}

/// A large value can't be put together.
struct SyncFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let folder: String

    var description: String {
        "A large value can't be put together: the folder \(folder) takes no file."
    }
}
