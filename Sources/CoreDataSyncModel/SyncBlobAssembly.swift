// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A large value that is put together of its parts. One beyond 256 KiB is in a file without a name, and mapped: it
/// takes no memory that the system can't take back.
package struct SyncBlobAssembly {
    private var data = Data()
    private var descriptor: Int32 = -1

    private static let mostBytesInMemory = 256 << 10

    /// The value of the parts that a function gives one after the other, until it gives nil.
    ///
    /// - Throws: errors of the folder for temporary files.
    package static func assembled(_ blob: SyncBlob, _ next: (Int64) throws -> Data?) throws -> Data {
        var assembly = try SyncBlobAssembly(blob)
        defer { if assembly.descriptor >= 0 { close(assembly.descriptor) } }
        var offset: Int64 = 0
        while offset < blob.size, let part = try next(offset), !part.isEmpty {
            try assembly.append(part)
            offset += Int64(part.count)
        }
        return try assembly.contents(Int(offset))
    }

    private init(_ blob: SyncBlob) throws {
        guard blob.size > Self.mostBytesInMemory else { return }
        let name = "coredata-blob-\(UUID().uuidString)"
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        unlink(path)
    }

    private mutating func append(_ part: Data) throws {
        guard descriptor >= 0 else {
            data.append(part)
            return
        }
        try part.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure() }
                rest = rest.dropFirst(count)
            }
        }
    }

    private func contents(_ size: Int) throws -> Data {
        guard descriptor >= 0, size > 0 else { return data }
        // A program may change a value in place: a page that is changed is the process's own.
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
        else { throw Self.failure() }
        return Data(bytesNoCopy: start, count: size, deallocator: .unmap)
    }

    private static func failure() -> SyncFileError { SyncFileError(code: errno) }
}

/// A failure of the folder for temporary files.
package struct SyncFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let code: Int32

    package var description: String {
        let folder = FileManager.default.temporaryDirectory.path
        return "A large value can't be put together in the folder \(folder): \(String(cString: strerror(code)))."
    }
}
