import CoreDataModel
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
        let patched = patch(lines(file), from: lines(before), to: lines(standard)).joined(separator: "\n")
        // A patch at a wrong place is another model, or none.
        guard
            let again = try? EditedModel.tree(ofText: Data(patched.utf8), from: URL(fileURLWithPath: "/text")),
            try EditedModel.text(of: again, isText: true) == standard
        else { return standard }
        return patched
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of a file, changed as one text becomes another one.
    private static func patch(_ file: [String], from old: [String], to new: [String]) -> [String] {
        // Each line of the old text with its line in the file, found from the beginning on.
        var places: [Int?] = []
        var next = 0
        for line in old {
            let wanted = trimmed(line)
            let found = wanted.isEmpty ? nil : (next..<file.count).first { matches(file[$0], wanted) }
            places.append(found)
            if let found { next = found + 1 }
        }
        var removed: Set<Int> = []
        var inserted: [Int: [String]] = [:]
        var (oldIndex, place) = (0, 0)
        let changes = new.difference(from: old)
        let removals = Set(changes.removals.map(offset))
        let insertions = Set(changes.insertions.map(offset))
        for (index, line) in new.enumerated() {
            while removals.contains(oldIndex) {
                if let found = places[oldIndex] {
                    removed.insert(found)
                    place = found + 1
                }
                oldIndex += 1
            }
            if insertions.contains(index) {
                inserted[place, default: []].append(line)
            } else {
                if let found = places[oldIndex] { place = found + 1 }
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

    private static func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }

    /// Whether a line of a file is a line of the standard text, but for spaces and a comment at its end.
    private static func matches(_ line: String, _ wanted: String) -> Bool {
        let line = trimmed(line)
        guard line != wanted else { return true }
        guard line.hasPrefix(wanted) else { return false }
        return trimmed(String(line.dropFirst(wanted.count))).hasPrefix("//")
    }
}
