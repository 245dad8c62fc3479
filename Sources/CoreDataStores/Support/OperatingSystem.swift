// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime
import CoreDataPredicates
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Every call of this module to the operating system: files, folders, the process, threads, and the clock.
///
/// A port to another platform adapts this file only. File functions go through Foundation; paths are absolute.
package enum OperatingSystem {
    // MARK: Files

    /// The device that keeps nothing. A store there is in memory.
    package static let nullDevice = "/dev/null"

    /// Whether a path names the device that keeps nothing, or something below it, where no file can be.
    ///
    /// Programs name several stores in memory by such paths, each store with its own name.
    package static func isNullDevice(_ path: String) -> Bool {
        guard path.hasPrefix(nullDevice) else { return false }
        return path == nullDevice || path.dropFirst(nullDevice.count).first == "/" && !path.contains("/../")
    }

    /// The kind of file that a path names.
    package enum FileKind: Equatable, Sendable {
        case missing, directory
        /// A regular file, with its size in bytes.
        case file(UInt64)
        case other
    }

    /// The kind of file that a path names; a symbolic link counts as its target.
    package static func fileKind(at path: String) -> FileKind {
        // Opening a store asks this often, and Foundation makes separate system calls for each part of the path.
        var status = stat()
        guard !path.utf8.contains(0) else { return .missing }
        // A link that leads to nothing is no file.
        guard stat(path, &status) == 0 else { return lstat(path, &status) == 0 ? .other : .missing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(UInt64(max(0, status.st_size)))
        default: return .other
        }
    }

    /// The size and the modification date of a file, without opening it; nil if the file is missing.
    package static func fileSizeAndDate(at path: String) -> (size: UInt64, modified: Date)? {
        guard let attributes = attributes(at: path), let size = attributes[.size] as? NSNumber,
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        return (size.uint64Value, modified)
    }

    private static func attributes(at path: String) -> [FileAttributeKey: Any]? {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try? FileManager.default.attributesOfItem(atPath: resolved)
    }

    /// Whether this process may read the file.
    static func isReadable(_ path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }

    /// Whether this process may write to the file or folder.
    package static func isWritable(_ path: String) -> Bool { FileManager.default.isWritableFile(atPath: path) }

    /// The contents of a file.
    package static func contents(of path: String) throws -> Data { try FileContents.data(of: path) }

    /// Writes a new file.
    ///
    /// - Throws: `CocoaError.fileWriteFileExists` if the file exists.
    static func createFile(_ path: String, contents: Data) throws {
        try changing(path) { try writeParts(of: contents, toNewFile: path) }
    }

    /// Writes a file in one step: readers see the old contents or the new ones.
    package static func replaceFile(_ path: String, contents: Data) throws {
        try changing(path) {
            guard contents.count > mostBytesOfWrite else {
                return try contents.write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            let new = path + "." + UUID().uuidString
            do {
                try createDurableFile(new, contents: contents, permissionsOf: path)
                try renameDurably(new, to: path)
            } catch {
                try? remove(new)
                throw error
            }
        }
    }

    /// Writes a new file, in parts if it is large.
    static func writeParts(of contents: Data, toNewFile path: String, most: Int = mostBytesOfWrite) throws {
        let url = URL(fileURLWithPath: path)
        guard contents.count > most else { return try contents.write(to: url, options: .withoutOverwriting) }
        try Data().write(to: url, options: .withoutOverwriting)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var rest = contents
        while !rest.isEmpty {
            try file.write(contentsOf: rest.prefix(most))
            rest = rest.dropFirst(most)
        }
    }

    /// The most bytes that are written at once. Foundation repeats the first bytes in place of those behind 2 GiB.
    static let mostBytesOfWrite = 1 << 30

    /// The attributes of a file that change when it is replaced or written.
    package struct FileStamp: Equatable, Sendable {
        package let number: UInt64
        let size: UInt64
        let modified: Date
    }

    /// The stamp of a file, without opening it; nil if the file is missing.
    package static func fileStamp(at path: String) -> FileStamp? {
        guard let attributes = attributes(at: path), let size = attributes[.size] as? NSNumber,
            let number = attributes[.systemFileNumber] as? NSNumber,
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        return FileStamp(number: number.uint64Value, size: size.uint64Value, modified: modified)
    }

    /// Writes a new file and waits until the disk has it. The file gets the permissions of another file, if this file
    /// exists.
    package static func createDurableFile(_ path: String, contents: Data, permissionsOf other: String) throws {
        try changing(path) {
            try writeParts(of: contents, toNewFile: path)
            if let permissions = attributes(at: other)?[.posixPermissions] as? NSNumber {
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.synchronize()
        }
    }

    /// Gives a file the name of another file, which it replaces in one step, and waits until the disk has the name.
    package static func renameDurably(_ path: String, to target: String) throws {
        guard rename(path, target) == 0 else { throw failure(of: "rename", target) }
        synchronizeFolder(folder(of: target))
    }

    /// Runs a block while no other process, and no other part of this one, has the lock of a file.
    ///
    /// - Parameters:
    ///   - path: the path of an existing file.
    ///   - timeout: the seconds to wait for the lock.
    /// - Returns: nil if the lock wasn't free in time.
    package static func withLock<Result>(onFile path: String, timeout: TimeInterval, _ body: () throws -> Result) throws
        -> Result?
    {
        let end = uptimeNanoseconds &+ UInt64(max(0, min(timeout, 1e9)) * 1e9)
        while true {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(of: "open", path) }
            // Closing the file releases the lock.
            defer {
                flock(descriptor, LOCK_UN)
                DatabaseFiles.close(descriptor)
            }
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(of: "flock", path) }
                if uptimeNanoseconds >= end { return nil }
                usleep(5000)
            }
            // The last owner of the lock may have replaced the file at this path: then other processes lock the new
            // file.
            if isPlace(path, ofFile: descriptor) { return try body() }
        }
    }

    /// Whether a path names an open file, or nothing.
    private static func isPlace(_ path: String, ofFile descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return true }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    fileprivate static func failure(of call: String, _ path: String) -> NSError {
        let code = errno
        let reason = "\(call) failed: \(String(cString: strerror(code)))."
        let cause = CoreDataErrors.error(
            Int(code), message: reason, reason: reason, domain: NSPOSIXErrorDomain,
            userInfo: [NSFilePathErrorKey: path])
        return CoreDataErrors.error(
            writeErrorCode(cause), message: "The file \(path) couldn\u{2019}t be changed. \(reason)", reason: reason,
            userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }

    /// Runs a function of Foundation that changes a file or folder. Its errors get a reason, which Foundation's lack.
    private static func changing<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CocoaError where (error as NSError).localizedFailureReason == nil {
            let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
            let reason =
                cause?.domain == NSPOSIXErrorDomain
                ? String(cString: strerror(Int32(truncatingIfNeeded: cause?.code ?? 0))) + "."
                : error.localizedDescription
            throw CoreDataErrors.cocoaError(
                error.code, message: "The file \(path) couldn\u{2019}t be changed. \(reason)", reason: reason,
                userInfo: [NSFilePathErrorKey: path].merging(error.userInfo) { $1 })
        }
    }

    /// The code of Cocoa's for an error of a call that writes.
    static func writeErrorCode(_ error: NSError) -> Int {
        let code: CocoaError.Code =
            switch Int32(truncatingIfNeeded: error.code) {
            case EACCES, EPERM: .fileWriteNoPermission
            case EROFS: .fileWriteVolumeReadOnly
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            default: .fileWriteUnknown
            }
        return code.rawValue
    }

    /// Whether an error of a call says that the volume is full, or the user's share of it.
    static func isOutOfSpace(_ error: NSError) -> Bool {
        switch error.domain {
        case NSCocoaErrorDomain where error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue: return true
        case NSPOSIXErrorDomain where isOutOfSpace(Int32(truncatingIfNeeded: error.code)): return true
        default: break
        }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError).map(isOutOfSpace) ?? false
    }

    /// Whether the number of an error of the system says so.
    static func isOutOfSpace(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Waits for a moment, before something is tried again.
    static func pause() { usleep(5000) }

    /// Empties a file, without opening it.
    static func truncateFile(_ path: String) throws {
        guard truncate(path, 0) == 0 else { throw failure(of: "truncate", path) }
    }

    /// Removes a file, or a folder with its contents; does nothing if the path names nothing.
    package static func remove(_ path: String) throws {
        do {
            try changing(path) { try FileManager.default.removeItem(atPath: path) }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }

    /// The names in a folder; none if the folder is missing.
    static func names(inFolder path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// A file that one user at a time has open, among all processes. The system ends the lock with the process.
    final class LockedFile: @unchecked Sendable {
        let path: String
        private let handle: FileHandle

        /// Opens a file and locks it. A link, a pipe or a device is refused.
        ///
        /// - Parameter creates: whether the file is created if it is missing.
        /// - Returns: nil if it is locked.
        init?(path: String, creates: Bool = true) throws {
            self.path = path
            // One call opens and creates: another user may remove the file at any time.
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0)
            let descriptor = open(path, flags, 0o666)
            guard descriptor >= 0 else { throw OperatingSystem.failure(of: "open", path) }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                errno = EINVAL
                throw OperatingSystem.failure(of: "open", path)
            }
            guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        }

        /// Whether the path still names the locked file: the one who had the lock before may have removed it.
        var isInPlace: Bool {
            var own = stat()
            var named = stat()
            return fstat(handle.fileDescriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
                && own.st_dev == named.st_dev
        }

        func append(_ data: Data) throws {
            try OperatingSystem.changing(path) {
                try handle.seekToEnd()
                try handle.write(contentsOf: data)
            }
        }

        /// Removes the file. The lock ends with the object.
        func remove() { try? OperatingSystem.remove(path) }
    }

    // MARK: Folders

    /// The folder that contains a file.
    package static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Creates a folder and the missing folders above it; does nothing if the folder exists.
    package static func createFolder(_ path: String) throws {
        try changing(path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// The user's folder for caches; nil if the system names none.
    package static var cachesFolder: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    }

    /// The user's folder for the files of applications.
    package static var applicationSupportFolder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    }

    /// Whether the volume of a folder has no room for a number of bytes, or for another file; false if that is unknown.
    static func isVolumeFull(_ folder: String, for size: Int) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder) else { return false }
        func number(_ key: FileAttributeKey) -> Int? { (attributes[key] as? NSNumber)?.intValue }
        // A file system without a fixed number of files says that it has none.
        if let files = number(.systemNodes), files > 0, number(.systemFreeNodes) == 0 { return true }
        return number(.systemFreeSize).map { $0 < size } ?? false
    }

    // MARK: The process

    /// The name of the program that this process runs.
    package static var processName: String { ProcessInfo.processInfo.processName }

    /// The arguments of the process; the first one is the path of the program.
    package static var arguments: [String] { CommandLine.arguments }

    /// The environment variables of the process.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The identifier of the program's bundle; nil for a program without one, as most are on Linux.
    static var bundleIdentifier: String? { Bundle.main.bundleIdentifier }

    // MARK: Threads

    /// The number under which the system's tools list the current thread.
    package static var threadNumber: Int { Int(opencoredata_thread_number()) }

    /// Whether the current thread is the main thread.
    package static var isMainThread: Bool { Thread.isMainThread }

    /// The name of the current thread; nil if the thread has none.
    package static var threadName: String? { Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } }

    /// The label of the dispatch queue whose block the current thread runs; nil if there is none.
    ///
    /// The pointer is valid while the block runs.
    package static var queueLabel: UnsafePointer<CChar>? {
        guard let label = opencoredata_queue_label(nil), label.pointee != 0 else { return nil }
        return label
    }

    /// A pointer of which each thread has its own.
    ///
    /// A thread starts with nil. The pointer is not freed when the thread ends.
    package struct ThreadLocalPointer: Sendable {
        private let key: pthread_key_t

        /// Reserves one of the process's thread-specific keys for the rest of its life.
        package init() {
            var key = pthread_key_t()
            precondition(pthread_key_create(&key, nil) == 0, "The process has no thread-specific keys left.")
            self.key = key
        }

        /// The pointer of the current thread.
        package var value: UnsafeMutableRawPointer? {
            @inline(__always) get { pthread_getspecific(key) }
            @inline(__always) nonmutating set { pthread_setspecific(key, newValue) }
        }
    }

    // MARK: Notifications of files

    /// Reports writes to files of one folder, by any process, with the notifications of Linux (inotify).
    ///
    /// The watcher ends with its last reference. Where the system has no such notifications the initializer returns
    /// nil, and users of the class poll. The source may be used on any thread, hence Sendable.
    package final class FolderWatcher: @unchecked Sendable {
        #if os(Linux)
            private let source: any DispatchSourceRead

            /// Begins to watch; nil if the system can't.
            ///
            /// - Parameters:
            ///   - folder: the path of the folder.
            ///   - queue: the queue of the handler.
            ///   - handler: called after writes, with the names of the files, or with nil if names were lost.
            package init?(_ folder: String, queue: DispatchQueue, handler: @escaping @Sendable (Set<String>?) -> Void) {
                let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
                guard descriptor >= 0 else { return nil }
                guard inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
                    close(descriptor)
                    return nil
                }
                source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
                source.setEventHandler { handler(Self.readNames(descriptor)) }
                source.setCancelHandler { close(descriptor) }
                source.activate()
            }

            deinit { source.cancel() }

            /// The names in all waiting events.
            private static func readNames(_ descriptor: Int32) -> Set<String>? {
                var names: Set<String> = []
                var areLost = false
                let alignment = MemoryLayout<inotify_event>.alignment
                withUnsafeTemporaryAllocation(byteCount: 8192, alignment: alignment) { buffer in
                    guard let base = buffer.baseAddress else { return }
                    let header = MemoryLayout<inotify_event>.size
                    while true {
                        let count = read(descriptor, base, buffer.count)
                        if count <= 0 { return }
                        var offset = 0
                        while offset + header <= count {
                            let event = base.advanced(by: offset).load(as: inotify_event.self)
                            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { areLost = true }
                            let name = base.advanced(by: offset + header).assumingMemoryBound(to: CChar.self)
                            if event.len > 0 { names.insert(String(cString: name)) }
                            offset += header + Int(event.len)
                        }
                    }
                }
                return areLost ? nil : names
            }
        #else
            package init?(_ folder: String, queue: DispatchQueue, handler: @escaping @Sendable (Set<String>?) -> Void) {
                return nil
            }
        #endif
    }

    // MARK: The clock

    /// Nanoseconds of a clock that never goes back.
    package static var uptimeNanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
