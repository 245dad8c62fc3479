// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// Writes a change into a file of the text notation, and keeps comments and the author's layout where it can.
///
/// The standard text of the old and of the new model differ in some lines. The lines of the file for the old ones are
/// replaced by the new ones.
enum TextFilePatch {
    /// The new text of a file.
    ///
    /// - Parameters:
    ///   - file: the old text of the file.
    ///   - old: the model of the old text.
    ///   - new: the new model.
    ///   - standard: the standard text of the new model.
    static func text(
        _ file: String, of old: SourceTree, becoming new: SourceTree, _ standard: String
    ) throws -> String {
        if old == new { return file }
        let before = try EditedModel.text(of: old, isText: true)
        if before == file { return standard }
        let statements = try places(in: file, of: before)
        for isShort in [true, false] {
            let patched = patch(lines(file), from: lines(before), to: lines(standard), statements, isShort: isShort)
                .joined(separator: "\n")
            // A patch at a wrong place is another model, or none.
            if let again = try? EditedModel.tree(ofText: Data(patched.utf8), from: URL(fileURLWithPath: "/text")),
                try EditedModel.text(of: again, isText: true) == standard
            {
                return patched
            }
        }
        return standard
    }

    /// The lines of a file by the lines of the standard text that say the same; both begin with 0.
    private static func places(in file: String, of standard: String) throws -> [Int: Int] {
        let own = try EditedModel.statementLines(ofText: Data(file.utf8))
        let lines = try EditedModel.statementLines(ofText: Data(standard.utf8))
        return Dictionary(
            lines.compactMap { key, line in own[key].map { (line - 1, $0 - 1) } }, uniquingKeysWith: { min($0, $1) })
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of a file, changed as one text becomes another one.
    ///
    /// - Parameters:
    ///   - statements: the lines of the file by the lines of the old text.
    ///   - isShort: whether a new line leaves the keyword out that the line in its place has left out.
    private static func patch(
        _ file: [String], from old: [String], to new: [String], _ statements: [Int: Int], isShort: Bool
    ) -> [String] {
        // Each line of the old text with its line in the file; lines without a statement are found from there on.
        var places: [Int?] = []
        var next = 0
        for (index, line) in old.enumerated() {
            let wanted = trimmed(line)
            let found =
                statements[index]
                ?? (wanted.isEmpty || next > file.count
                    ? nil : (next..<file.count).first { matches(file[$0], wanted) })
            places.append(found)
            if let found { next = found + 1 }
        }
        var removed: Set<Int> = []
        var inserted: [Int: [String]] = [:]
        var (oldIndex, place) = (0, 0)
        // Whether the line before begins with the keyword, which can be left out.
        var hasKeyword = true
        let changes = new.difference(from: old)
        let removals = Set(changes.removals.map(offset))
        let insertions = Set(changes.insertions.map(offset))
        for (index, line) in new.enumerated() {
            while removals.contains(oldIndex) {
                if let found = places[oldIndex] {
                    removed.insert(found)
                    place = found + 1
                    hasKeyword = trimmed(file[found]).hasPrefix(keyword)
                }
                oldIndex += 1
            }
            if insertions.contains(index) {
                let isLong = hasKeyword || !isShort || !trimmed(line).hasPrefix(keyword)
                inserted[place, default: []].append(
                    isLong ? line : line.replacing(keyword, with: "", maxReplacements: 1))
            } else {
                if let found = places[oldIndex] {
                    place = found + 1
                    hasKeyword = trimmed(file[found]).hasPrefix(keyword)
                }
                oldIndex += 1
            }
        }
        while oldIndex < old.count {
            if removals.contains(oldIndex), let found = places[oldIndex] { removed.insert(found) }
            oldIndex += 1
        }
        var result: [String] = []
        for index in 0...file.count {
            result += inserted[index] ?? []
            if index < file.count, !removed.contains(index) { result.append(file[index]) }
        }
        return result
    }

    private static func offset(of change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    private static let keyword = "attribute "

    private static func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }

    /// Whether a line of a file is a line of the standard text, but for spaces and a comment at its end.
    private static func matches(_ line: String, _ wanted: String) -> Bool {
        let line = trimmed(line)
        guard line != wanted else { return true }
        guard line.hasPrefix(wanted) else { return false }
        return trimmed(String(line.dropFirst(wanted.count))).hasPrefix("//")
    }
}
