// SPDX-License-Identifier: Apache-2.0

import Digests

/// The file that stores the sections for one cache name. It is in the user's caches folder, in a subfolder with the
/// program's name.
struct SectionCacheFile {
    struct Content: Codable {
        struct Section: Codable {
            let name: String
            let count: Int
        }

        let request: [String]
        let stores: [StoreFingerprint]
        let sections: [Section]
    }

    private let url: URL?

    init(_ name: String) { url = Self.folder?.appendingPathComponent(Self.fileName(name)) }

    /// The stored content; nil if there is none, or the file is damaged.
    func read() -> Content? {
        guard let url, let data = try? OperatingSystem.contents(of: url.path) else { return nil }
        // A damaged cache counts as none: the next write replaces it.
        return try? JSONDecoder().decode(Content.self, from: data)
    }

    func write(_ content: Content) {
        guard let url else { return }
        do {
            try OperatingSystem.createFolder(url.deletingLastPathComponent().path)
            try OperatingSystem.replaceFile(url.path, contents: JSONEncoder().encode(content))
        } catch {
            CoreDataLog.warning(
                """
                The section cache \(url.path) of an NSFetchedResultsController can't be written: \
                \(error.localizedDescription)
                """
            )
        }
    }

    /// Deletes the file of a name, or the files of all names.
    static func delete(_ name: String?) {
        guard let folder else { return }
        let url = name.map { folder.appendingPathComponent(fileName($0)) } ?? folder
        do {
            try OperatingSystem.remove(url.path)
        } catch {
            CoreDataLog.warning("The section cache \(url.path) can't be deleted: \(error.localizedDescription)")
        }
    }

    private static var folder: URL? {
        OperatingSystem.cachesFolder?.appendingPathComponent(OperatingSystem.processName)
            .appendingPathComponent("CoreDataSectionCaches")
    }

    /// A valid file name for any cache name: other bytes than ASCII letters and digits are escaped.
    private static func fileName(_ name: String) -> String {
        let text = name.utf8.map { byte in
            let isValid =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            return isValid ? String(UnicodeScalar(byte)) : "_\(String(byte, radix: 16))"
        }.joined(separator: "")
        // A name that is too long for a file is replaced by its hash.
        return
            (text.utf8.count <= 200
            ? text : SHA256.hash(Array(name.utf8)).map { String($0, radix: 16) }.joined(separator: "-")) + ".json"
    }
}
