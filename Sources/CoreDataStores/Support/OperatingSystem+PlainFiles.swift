// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Access to plain files only: a symbolic link, a pipe, a device or a folder in place of a file is refused.
///
/// The files beside a store come from elsewhere with it, and a link among them could name any file of the user.
extension OperatingSystem {
    /// The kind of file that a path names; a symbolic link is of the kind `other`.
    static func plainKind(at path: String) -> FileKind {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .missing }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file(UInt64(status.st_size))
        case S_IFDIR: .directory
        default: .other
        }
    }

    /// The path of the file that a path names, if that is a symbolic link. SQLite keeps the logs of a database beside
    /// its file, not beside a link to it, and so are all other files of a store.
    package static func resolvingLinks(_ path: String) -> String {
        var path = path
        // More links than the system follows are a loop, which the opening reports.
        for _ in 0..<40 {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            else { break }
            path = target.hasPrefix("/") ? target : folder(of: path) + "/" + target
        }
        return path
    }

    /// The number of names that a file has; 0 if it is missing.
    static func nameCount(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    /// The contents of a file.
    ///
    /// - Throws: 260 for a missing file, 259 for a link, a folder, a pipe or a device, 257 for a file that can't be
    ///   read, and other errors of reading.
    static func contents(ofPlainFile path: String) throws -> Data {
        try withPlainFile(path) { descriptor, status in
            guard let data = FileContents.read(descriptor, upTo: .max, expected: Int(status.st_size)) else {
                throw fileFailure(path, isWriting: false)
            }
            return data
        }
    }

    /// The contents of a file that nothing writes to any more. The contents of a large file are mapped: pages that are
    /// read take memory that the system can take back. A file may be removed while its contents are in use.
    ///
    /// - Throws: as ``contents(ofPlainFile:)``.
    static func contents(ofCompletePlainFile path: String) throws -> Data {
        try withPlainFile(path) { descriptor, status in
            let size = Int(status.st_size)
            // A program may change a value in place: a page that is changed is the process's own.
            if size >= leastMappedSize,
                let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0),
                start != MAP_FAILED
            {
                return Data(bytesNoCopy: start, count: size, deallocator: .unmap)
            }
            guard let data = FileContents.read(descriptor, upTo: .max, expected: size) else {
                throw fileFailure(path, isWriting: false)
            }
            return data
        }
    }

    private static let leastMappedSize = 256 << 10

    /// Copies a file to a path that names nothing, and waits until the disk has the copy.
    ///
    /// - Throws: as ``contents(ofPlainFile:)``, and 512, 513, 640 for a copy that can't be written.
    static func copyPlainFileDurably(_ path: String, to copy: String) throws {
        try withPlainFile(path) { source, status in
            let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o777)
            guard target >= 0 else { throw fileFailure(copy, isWriting: true) }
            defer { close(target) }
            try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
                while true {
                    let count = read(source, buffer.baseAddress, buffer.count)
                    if count < 0 && errno == EINTR { continue }
                    guard count >= 0 else { throw fileFailure(path, isWriting: false) }
                    if count == 0 { break }
                    var written = 0
                    while written < count {
                        let part = write(target, buffer.baseAddress! + written, count - written)
                        if part < 0 && errno == EINTR { continue }
                        guard part > 0 else { throw fileFailure(copy, isWriting: true) }
                        written += part
                    }
                }
            }
            guard fsync(target) == 0 else { throw fileFailure(copy, isWriting: true) }
        }
    }

    private static func withPlainFile<Result>(_ path: String, _ body: (Int32, stat) throws -> Result) throws -> Result {
        // Without waiting for the writer of a pipe.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw noFile(path, "It is a symbolic link.") }
            throw fileFailure(path, isWriting: false)
        }
        // A hostile file could be another name of the database.
        defer { DatabaseFiles.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fileFailure(path, isWriting: false) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw noFile(path, "It is not a regular file.") }
        return try body(descriptor, status)
    }

    /// Removes a file or a link, never a folder; does nothing if the path names nothing.
    static func removePlainFile(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw fileFailure(path, isWriting: true)
    }

    /// Removes a folder if it is empty.
    static func removeEmptyFolder(_ path: String) { _ = rmdir(path) }

    /// Waits until the disk has the names in a folder. Some file systems can't do this; the names are there in any
    /// case.
    static func synchronizeFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Gives a file a name that nothing has, and waits until the disk has it.
    ///
    /// - Returns: false if something has the name.
    static func renameIfFree(_ path: String, to target: String) throws -> Bool {
        if link(path, target) == 0 {
            // Another process that opens the new file may have removed its other name as a remainder.
            guard unlink(path) == 0 || errno == ENOENT else {
                let failure = fileFailure(path, isWriting: true)
                unlink(target)
                throw failure
            }
        } else if errno == EEXIST {
            return false
        } else {
            // A file system without hard links.
            guard plainKind(at: target) == .missing else { return false }
            guard rename(path, target) == 0 else { throw fileFailure(target, isWriting: true) }
        }
        synchronizeFolder(folder(of: target))
        return true
    }

    private static func noFile(_ path: String, _ reason: String) -> CocoaError {
        CoreDataErrors.cocoaError(
            .fileReadCorruptFile, message: "The file \(path) couldn\u{2019}t be read. \(reason)", reason: reason,
            userInfo: [NSFilePathErrorKey: path])
    }

    private static func fileFailure(_ path: String, isWriting: Bool) -> CocoaError {
        let code = errno
        let cocoaCode: CocoaError.Code =
            switch code {
            case ENOENT, ENOTDIR: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
            case EACCES, EPERM: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            case EROFS: .fileWriteVolumeReadOnly
            default: isWriting ? .fileWriteUnknown : .fileReadUnknown
            }
        let reason = String(cString: strerror(code)) + "."
        return CoreDataErrors.cocoaError(
            cocoaCode, message: "The file \(path) couldn\u{2019}t be \(isWriting ? "written" : "read"). \(reason)",
            reason: reason, userInfo: [NSFilePathErrorKey: path])
    }
}
