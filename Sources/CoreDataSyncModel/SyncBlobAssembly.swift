// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A large value that is put together of its parts. One beyond 256 KiB is in a file without a name, and mapped:
/// it takes no memory that the system can't take back.
package struct SyncBlobAssembly {
    private var data = Data()
    private var file: FileHandle?
    private let url: URL

    /// - Throws: errors of the folder for temporary files.
    package init(_ blob: SyncBlob) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-blob-\(UUID().uuidString)")
        guard blob.size > Self.mostBytesInMemory else { return }
        try Data().write(to: url, options: .withoutOverwriting)
        file = try FileHandle(forUpdating: url)
    }

    private static let mostBytesInMemory = 256 << 10

    package mutating func append(_ part: Data) throws {
        if let file { try file.write(contentsOf: part) } else { data.append(part) }
    }

    /// Ends the value. The file loses its name.
    package mutating func finish() throws -> Data {
        guard let file else { return data }
        defer { try? FileManager.default.removeItem(at: url) }
        try file.close()
        self.file = nil
        return try Data(contentsOf: url, options: .alwaysMapped)
    }

    /// Removes the file of a value that came to no end.
    package func discard() { if file != nil { try? FileManager.default.removeItem(at: url) } }

    /// The value of the parts that a function gives one after the other, until it gives nil.
    package static func assembled(_ blob: SyncBlob, _ next: (Int64) throws -> Data?) throws -> Data {
        var assembly = try SyncBlobAssembly(blob)
        do {
            var offset: Int64 = 0
            while offset < blob.size, let part = try next(offset), !part.isEmpty {
                try assembly.append(part)
                offset += Int64(part.count)
            }
            return try assembly.finish()
        } catch {
            assembly.discard()
            throw error
        }
    }
}
