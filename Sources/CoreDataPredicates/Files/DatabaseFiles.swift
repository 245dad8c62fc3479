// SPDX-License-Identifier: Apache-2.0

/// The files that this process has open as SQLite databases.
///
/// The locks of POSIX belong to a process: when it closes one of its descriptors of a file, all its locks on the file
/// end. A program that opens the file of an open database to look at its first bytes, and closes it again, ends the
/// locks that SQLite holds. Another process then takes the write-ahead log away, and saves are lost. So a path that may
/// name a store is read by ``FileContents``, which asks here first, and closes its descriptors here.
package enum DatabaseFiles {
    /// A file, whatever its names are.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private struct OpenFile {
        /// The paths of the connections.
        var paths: [String] = []
        /// The paths of the connections that are being closed.
        var closingPaths: [String] = []
        /// Descriptors of the file that were to be closed.
        var descriptors: [Int32] = []
    }

    private static let files = Locked<[Identity: OpenFile]>([:])

    /// The file that a path names; nil if it names nothing.
    package static func identity(of path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Whether this process has a file open as a database.
    package static func contains(_ path: String) -> Bool {
        guard let identity = identity(of: path), let file = files.withLock({ $0[identity] }) else { return false }
        // The system gives the number of a removed file to another one as soon as its last descriptor is closed.
        return !file.paths.isEmpty || file.closingPaths.contains { Self.identity(of: $0) == identity }
    }

    /// The paths by which this process has a file open as a database.
    package static func paths(of path: String) -> [String] {
        guard let identity = identity(of: path) else { return [] }
        return files.withLock { $0[identity].map { $0.paths + $0.closingPaths } ?? [] }
    }

    /// Records a connection that has opened a file, and has no lock on it yet.
    ///
    /// - Returns: what ``didClose(_:path:)`` gets; nil if the path names nothing.
    package static func didOpen(_ path: String) -> Identity? {
        guard let identity = identity(of: path) else { return nil }
        files.withLock { $0[identity, default: OpenFile()].paths.append(path) }
        return identity
    }

    /// Records that a connection is about to close its file.
    package static func willClose(_ identity: Identity, path: String) {
        files.withLock { files in
            guard let index = files[identity]?.paths.firstIndex(of: path) else { return }
            files[identity]?.paths.remove(at: index)
            files[identity]?.closingPaths.append(path)
        }
    }

    /// Records that a connection has closed its file, after ``willClose(_:path:)``. If it was the last connection,
    /// closes the kept descriptors.
    package static func didClose(_ identity: Identity, path: String) {
        files.withLock { files in
            guard var file = files[identity] else { return }
            if let index = file.closingPaths.firstIndex(of: path) { file.closingPaths.remove(at: index) }
            guard file.paths.isEmpty, file.closingPaths.isEmpty else {
                files[identity] = file
                return
            }
            files[identity] = nil
            for descriptor in file.descriptors { _ = Foundation.close(descriptor) }
        }
    }

    /// Closes a descriptor. If its file is an open database the descriptor is kept until the last connection is closed.
    package static func close(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            _ = Foundation.close(descriptor)
            return
        }
        files.withLock { files in
            // Within the lock: a connection that is recorded later has no lock on the file yet.
            if files[Identity(status)]?.descriptors.append(descriptor) == nil { _ = Foundation.close(descriptor) }
        }
    }
}
