// SPDX-License-Identifier: Apache-2.0

/// Reads files, each of which may be a store that this process has open: see ``DatabaseFiles``.
package enum FileContents {
    /// The first bytes of a SQLite database.
    package static let databaseHeader = Data("SQLite format 3\0".utf8)

    /// The contents of a regular file.
    ///
    /// - Throws: 260 for a missing file, 257 for one that can't be read, 256 for a folder, a pipe or a device, 259 for
    ///   a SQLite database that this process has open.
    package static func data(of path: String) throws -> Data {
        if DatabaseFiles.contains(path) {
            throw error(.fileReadCorruptFile, path, "It is a SQLite database that this process has open.")
        }
        return try read(path, upTo: .max)
    }

    /// The first bytes of a regular file; fewer if the file is shorter. For a database that is open in this process the
    /// result is the known header, without reading the file.
    ///
    /// - Throws: as ``data(of:)``.
    package static func head(of path: String, count: Int) throws -> Data {
        if DatabaseFiles.contains(path) { return databaseHeader.prefix(count) }
        return try read(path, upTo: count)
    }

    /// Reads a descriptor to its end, or to a number of bytes.
    ///
    /// - Returns: nil after a failure, which `errno` has.
    package static func read(_ descriptor: Int32, upTo count: Int, expected: Int) -> Data? {
        // One byte more shows the end of the file.
        var data = Data(count: min(count, max(0, expected) + 1))
        var length = 0
        while length < count {
            if length == data.count { data.count = min(count, 2 * length + 65_536) }
            let found = data.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress! + length, $0.count - length)
            }
            if found < 0 && errno == EINTR { continue }
            if found < 0 { return nil }
            if found == 0 { break }
            length += found
        }
        data.count = length
        return data
    }

    private static func read(_ path: String, upTo count: Int) throws -> Data {
        // Without waiting for the writer of a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { DatabaseFiles.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw error(.fileReadUnknown, path, "It is not a regular file.")
        }
        guard let data = read(descriptor, upTo: count, expected: Int(status.st_size)) else { throw failure(path) }
        return data
    }

    private static func failure(_ path: String) -> CocoaError {
        let code = errno
        let cocoaCode: CocoaError.Code =
            switch code {
            case ENOENT, ENOTDIR: .fileReadNoSuchFile
            case EACCES, EPERM: .fileReadNoPermission
            default: .fileReadUnknown
            }
        let reason = String(cString: strerror(code)) + "."
        return error(cocoaCode, path, reason)
    }

    private static func error(_ code: CocoaError.Code, _ path: String, _ reason: String) -> CocoaError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return CoreDataErrors.cocoaError(
            code, message: "The file \u{201c}\(name)\u{201d} couldn\u{2019}t be read. \(reason)", reason: reason,
            userInfo: [NSFilePathErrorKey: path])
    }
}
