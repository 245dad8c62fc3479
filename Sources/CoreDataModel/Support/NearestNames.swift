// SPDX-License-Identifier: Apache-2.0

/// Finds the names that are most similar to an unknown name, for error messages.
package enum NearestNames {
    /// Longer names are not compared, since the cost grows with the square of the length.
    private static let lengthLimit = 80
    private static let resultLimit = 3

    /// The most similar names, the nearest first.
    ///
    /// - Parameters:
    ///   - name: the unknown name.
    ///   - candidates: the existing names.
    /// - Returns: at most three names; none if no name is similar.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> [String] {
        let wanted = letters(name)
        guard !wanted.isEmpty, wanted.count <= lengthLimit else { return [] }
        var found: [(name: String, distance: Int)] = []
        for candidate in Set(candidates) {
            let text = letters(candidate)
            let limit = max(1, max(wanted.count, text.count) * 2 / 5)
            guard text.count <= lengthLimit, abs(text.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, text)
            if distance <= limit { found.append((candidate, distance)) }
        }
        found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return found.prefix(resultLimit).map(\.name)
    }

    /// A question for an error message, which begins with a space: " Did you mean 'Song'?". Empty if no name is
    /// similar.
    package static func suggestion(for name: String, in candidates: some Sequence<String>) -> String {
        let names = nearest(to: name, in: candidates).map { "'\($0)'" }
        return names.isEmpty ? "" : " Did you mean \(names.joined(separator: " or "))?"
    }

    /// The present name of a property that an earlier model named differently, by its renaming identifier.
    ///
    /// - Parameters:
    ///   - name: a name that no property has.
    ///   - properties: the properties of an entity.
    package static func newName(of name: String, in properties: some Sequence<NSPropertyDescription>) -> String? {
        properties.first { $0.renamingIdentifier == name }?.name
    }

    /// The comparison ignores case.
    private static func letters(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

    /// The Damerau-Levenshtein distance: the least number of insertions, removals, replacements and swaps of
    /// neighbours.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for i in 1...left.count {
            var current = [i] + [Int](repeating: 0, count: right.count)
            for j in 1...right.count {
                let isSame = left[i - 1] == right[j - 1]
                current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    current[j] = min(current[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
