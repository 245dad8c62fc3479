import CoreDataPredicates

/// Every call that this folder makes to the file system, through Foundation so that it runs wherever Foundation does.
package enum SQLiteFileSystem {
    package enum Kind: Equatable, Sendable {
        case missing, directory
        /// A file, with its size in bytes.
        case file(UInt64)
        case other
    }

    package static func kind(of path: String) -> Kind {
        // Symbolic links count as what they point to.
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else { return .missing }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory?: return .directory
        case .typeRegular?: return .file((attributes[.size] as? NSNumber)?.uint64Value ?? 0)
        default: return .other
        }
    }

    package static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    static func isReadable(_ path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }
    static func isWritable(_ path: String) -> Bool { FileManager.default.isWritableFile(atPath: path) }

    /// The first bytes of a file, fewer if it is shorter.
    static func head(of path: String, count: Int) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        return try file.read(upToCount: count) ?? Data()
    }

    static func contents(of path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    static func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    }

    /// Makes a file empty.
    static func truncate(_ path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.truncate(atOffset: 0)
    }

    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Removes a file or folder if it is there.
    static func remove(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }
}
