// SPDX-License-Identifier: Apache-2.0

/// A dictionary with string keys that preserves the order in which entries were added.
package struct PropertyListDictionary: Sendable {
    package private(set) var entries: [(key: String, value: PropertyListValue)]
    /// The positions by key, for more than `indexThreshold` entries only: for fewer, a linear search is faster.
    private var positions: [String: Int]?

    private static let indexThreshold = 16

    package init() {
        entries = []
    }

    /// Creates a dictionary with entries. Of equal keys, the last one is used.
    package init(_ entries: [(key: String, value: PropertyListValue)]) {
        self.init()
        self.entries.reserveCapacity(entries.count)
        for entry in entries { self[entry.key] = entry.value }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    package var keys: [String] { entries.map(\.key) }

    package subscript(key: String) -> PropertyListValue? {
        get {
            position(of: key).map { entries[$0].value }
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?):
                entries[position].value = value
            case (let position?, nil):
                entries.remove(at: position)
                positions = nil
                indexIfLarge()
            case (nil, let value?):
                entries.append((key, value))
                if positions != nil {
                    positions?[key] = entries.count - 1
                } else {
                    indexIfLarge()
                }
            case (nil, nil):
                break
            }
        }
    }

    private func position(of key: String) -> Int? {
        if let positions { return positions[key] }
        return entries.firstIndex { $0.key == key }
    }

    private mutating func indexIfLarge() {
        guard entries.count > Self.indexThreshold else { return }
        positions = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.key, $0.offset) })
    }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}

/// Equality ignores the order of the entries.
extension PropertyListDictionary: Hashable {
    package static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
        left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var mixed = 0
        for entry in entries {
            var single = Hasher()
            single.combine(entry.key)
            single.combine(entry.value)
            mixed ^= single.finalize()
        }
        hasher.combine(mixed)
    }
}
