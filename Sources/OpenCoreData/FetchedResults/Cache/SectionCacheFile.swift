/// The file that keeps the sections of fetched results under a name: in the user's folder for caches, in one named
/// after the program.
struct SectionCacheFile {
    /// What the file holds.
    struct Content: Codable {
        struct Section: Codable {
            let name: String
            let count: Int
        }

        let request: [String]
        let stores: [StoreStamp]
        let sections: [Section]
    }

    private let url: URL?

    init(_ name: String) { url = Self.folder?.appendingPathComponent(Self.fileName(name)) }

    /// What was written; nil if there is nothing that can be read.
    func read() -> Content? {
        guard let url, let data = try? Data(contentsOf: url) else { return nil }
        // A damaged cache is as good as none: it is made anew.
        return try? JSONDecoder().decode(Content.self, from: data)
    }

    func write(_ content: Content) {
        guard let url else { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(content).write(to: url, options: .atomic)
        } catch {
            CoreDataLog.warning(
                """
                The sections of an NSFetchedResultsController can't be kept in \(url.path): \
                \(error.localizedDescription)
                """
            )
        }
    }

    /// Deletes the file of a name, or the files of all names.
    static func delete(_ name: String?) {
        guard let folder else { return }
        let url = name.map { folder.appendingPathComponent(fileName($0)) } ?? folder
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            CoreDataLog.warning("The section cache \(url.path) can't be deleted: \(error.localizedDescription)")
        }
    }

    private static var folder: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent(ProcessInfo.processInfo.processName).appendingPathComponent("CoreDataSectionCaches")
    }

    /// A name may hold anything, a file's name may not.
    private static func fileName(_ name: String) -> String {
        let text = name.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            return isPlain ? String(UnicodeScalar(byte)) : "_\(String(byte, radix: 16))"
        }.joined(separator: "")
        // Longer names than a file may have go by their hash.
        return
            (text.utf8.count <= 200
            ? text : SHA256.hash(Array(name.utf8)).map { String($0, radix: 16) }.joined(separator: "-")) + ".json"
    }
}
