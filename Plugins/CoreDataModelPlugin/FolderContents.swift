// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lists folders in sorted order, so that equal folders give equal commands.
enum FolderContents {
    /// The names in a folder, without hidden files except `.xccurrentversion`, which has the current version of a
    /// model.
    static func names(in folder: URL) -> [String] {
        // An unreadable folder is ignored here. SwiftPM or the compiler reports it.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") || $0 == ".xccurrentversion" }.sorted()
    }

    static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// The files in a folder and in its subfolders.
    static func files(below folder: URL) -> [URL] {
        guard isFolder(folder) else { return [] }
        return names(in: folder).flatMap { name in
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            return isFolder(url) ? files(below: url) : [url]
        }
    }
}
