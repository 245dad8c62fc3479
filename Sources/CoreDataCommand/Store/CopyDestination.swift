// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The file of a copy or backup.
struct CopyDestination {
    let url: URL
    /// The path as it was given.
    let text: String

    /// Checks that a copy can be made there, before anything is read or written.
    ///
    /// - Parameter replaces: whether an existing store is replaced.
    func check(source: URL, replaces: Bool) throws {
        if source.namesSameStore(as: url) {
            throw CommandError("\(text) is the store itself. Give the copy another path.")
        }
        let files = FileManager.default
        var isFolder: ObjCBool = false
        let folder = url.deletingLastPathComponent().path
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError("\(text) can't be written: the folder \(folder) doesn't exist.")
        }
        guard files.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue { throw CommandError("\(text) is a folder. Give the path of a file.") }
        if !replaces { throw CommandError("\(text) exists. Replace it with --force.") }
    }
}
