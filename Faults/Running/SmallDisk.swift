import OpenCoreData

/// A small file system in memory for one process. It needs the rights of root, and is visible to the process alone.
enum SmallDisk {
    static let impossible = "no file system can be mounted here (unshare -m, mount -t tmpfs)"
    private static func mount(_ megabytes: Int) -> String {
        "mount -t tmpfs -o size=\(megabytes)m,nr_inodes=\(fileCount) tmpfs"
    }

    /// The files and folders that a disk has room for.
    static let fileCount = 5000

    /// The command that starts a program with a small disk in a folder.
    static func command(_ folder: URL, megabytes: Int = 12) -> [String] {
        ["/usr/bin/env", "unshare", "-m", "sh", "-c", "\(mount(megabytes)) '\(folder.path)' && exec \"$@\"", "sh"]
    }

    /// Whether such a disk can be made. The folder is removed.
    static func isPossible(_ folder: URL) -> Bool {
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "sh", "-c", "\(mount(1)) '\(folder.path)'"]
        process.standardError = Pipe()
        do {
            try process.run()
        } catch {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
