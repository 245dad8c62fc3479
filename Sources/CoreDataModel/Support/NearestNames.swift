/// Finds the names that a misspelled one was probably meant to be.
package enum NearestNames {
    /// Names longer than this, which nobody types, are not compared.
    private static let lengthLimit = 80
    private static let resultLimit = 3

    /// The names that are like the given one, the nearest first; none that is wholly different, and at most three.
    ///
    /// - Parameters:
    ///   - name: the name that wasn't found.
    ///   - candidates: the names that there are.
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

    /// A sentence for a message, with a space before it: " Did you mean 'Song'?"; empty where nothing is near.
    package static func question(for name: String, in candidates: some Sequence<String>) -> String {
        let names = nearest(to: name, in: candidates).map { "'\($0)'" }
        return names.isEmpty ? "" : " Did you mean \(names.joined(separator: " or "))?"
    }

    /// All names, those that are like the given one first, the others sorted.
    package static func ordered(_ candidates: some Sequence<String>, nearestTo name: String) -> [String] {
        let all = Set(candidates)
        let near = nearest(to: name, in: all)
        return near + all.subtracting(near).sorted()
    }

    /// Case matters little when one mistypes.
    private static func letters(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

    /// The least number of letters to insert, remove, replace or swap with their neighbour.
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
