import CoreData

/// The files of a run.
final class Stage {
    let folder: URL
    /// The Python process of SQLAlchemy's arms; nil where Python doesn't have it.
    let python: PythonProcess?
    private var temporary: [URL] = []
    private var count = 0

    init(folder: URL, python: PythonProcess? = nil) {
        self.folder = folder
        self.python = python
    }

    /// A file that is made once and then only read, or copied.
    func fixture(_ name: String, fill: (URL) throws -> Void) throws -> URL {
        let url = folder.appendingPathComponent("fixture-\(name).sqlite")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        let unfinished = folder.appendingPathComponent("unfinished.sqlite")
        try fill(unfinished)
        // The file alone then has everything.
        try RawConnection(unfinished).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.moveItem(at: unfinished, to: url)
        Self.remove(unfinished)
        return url
    }

    /// A place for a file that `clear()` removes.
    func newFile() -> URL {
        // Names by number, and no UUID: runs of `callgrind` are to be equal.
        count += 1
        let url = folder.appendingPathComponent("run-\(count).sqlite")
        Self.remove(url)
        temporary.append(url)
        return url
    }

    func copy(_ fixture: URL) throws -> URL {
        let url = newFile()
        try FileManager.default.copyItem(at: fixture, to: url)
        return url
    }

    func clear() {
        temporary.forEach(Self.remove)
        temporary = []
        count = 0
    }

    /// Removes a file, with SQLite's files beside it.
    static func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}
