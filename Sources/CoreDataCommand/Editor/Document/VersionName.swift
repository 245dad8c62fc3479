// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The names of versions.
enum VersionName {
    /// The name of a new version.
    ///
    /// - Throws: `CommandError` for a name that it can't have.
    static func checked(_ given: String, among names: [String], of files: EditorFiles) throws -> String {
        let stem = files.url.deletingPathExtension().lastPathComponent
        var name = given.trimmingCharacters(in: .whitespaces)
        let ending = "." + SourceModelBundle.versionExtension(isText: files.isText)
        if name.hasSuffix(ending) { name = String(name.dropLast(ending.count)) }
        if name.isEmpty { name = free(stem, among: names) }
        try check(name)
        guard !names.contains(where: { $0.lowercased() == name.lowercased() }) else {
            throw CommandError("There is a version ‘\(name)’ already.")
        }
        return name
    }

    /// Xcode's name for the next version: `Shop 2`, `Shop 3`.
    static func free(_ stem: String, among names: [String]) -> String {
        var number = 2
        while names.contains("\(stem) \(number)") { number += 1 }
        return "\(stem) \(number)"
    }

    /// - Throws: `CommandError` for a name that no file can have.
    static func check(_ name: String) throws {
        let isUsable =
            !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200
            && !name.contains(where: { "/\\:".contains($0) })
            && !name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
        guard isUsable else {
            throw CommandError("‘\(name)’ can't be the name of a version: it names a folder or a file.")
        }
    }
}
