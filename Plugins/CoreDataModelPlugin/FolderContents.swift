import Foundation

/// Lists folders, in an order of its own so that equal folders give equal commands.
enum FolderContents {
    /// The names in a folder; hidden ones are left out but for `.xccurrentversion`, which says which version of a model
    /// is current.
    static func names(in folder: URL) -> [String] {
        // A folder that can't be listed has nothing for the plugin; SwiftPM or the compiler reports it where it
        // matters.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") || $0 == ".xccurrentversion" }.sorted()
    }

    static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// The files in a folder and in all folders below it.
    static func files(below folder: URL) -> [URL] {
        guard isFolder(folder) else { return [] }
        return names(in: folder).flatMap { name in
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            return isFolder(url) ? files(below: url) : [url]
        }
    }
}
