// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Finds what a misspelt word may mean.
enum Misspelling {
    /// The word that differs least, if it differs little; nil if no word is near.
    static func nearest(to word: String, among words: some Sequence<String>) -> String? {
        let word = word.lowercased()
        guard word.count <= 100 else { return nil }
        let limit = max(1, word.count / 3)
        let near = words.map { (name: $0, distance: distance(word, $0.lowercased())) }
        return near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// How many characters must be inserted, deleted, replaced, or exchanged with their neighbours.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (index, character) in left.enumerated() {
            var row = [index + 1]
            for (other, candidate) in right.enumerated() {
                var best = min(rows[index][other + 1] + 1, row[other] + 1)
                best = min(best, rows[index][other] + (character == candidate ? 0 : 1))
                if index > 0, other > 0, character == right[other - 1], left[index - 1] == candidate {
                    best = min(best, rows[index - 1][other - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}

extension Misspelling {
    /// The end of a message about an unknown property: " It is named 'title' now." for one that the model has renamed,
    /// " Did you mean 'title'?" for a misspelt one. Empty if no name is near.
    static func suggestion(forProperty name: String, of entity: NSEntityDescription) -> String {
        let properties = entity.propertiesByName
        if let new = NearestNames.newName(of: name, in: properties.values) { return " It is named '\(new)' now." }
        return nearest(to: name, among: properties.keys.sorted()).map { " Did you mean '\($0)'?" } ?? ""
    }
}
