// SPDX-License-Identifier: Apache-2.0

/// The results of a controller in order, and the sections that they form. Immutable: each change makes a new content.
struct FetchedContent {
    struct Section {
        let name: String
        let range: Range<Int>
    }

    let objects: [NSManagedObject]
    /// Results that are no objects: IDs or dictionaries. `objects` is then empty.
    let values: [Any]
    let sections: [Section]

    init(objects: [NSManagedObject], values: [Any] = [], sections: [Section]) {
        self.objects = objects
        self.values = values
        self.sections = sections
    }

    var count: Int { objects.count + values.count }

    func element(at position: Int) -> Any { values.isEmpty ? objects[position] : values[position] }

    func elements(_ range: Range<Int>) -> [Any] { values.isEmpty ? objects[range].map { $0 } : Array(values[range]) }

    /// The index of the section that contains a position.
    func section(at position: Int) -> Int {
        var low = 0
        var high = sections.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if sections[middle].range.lowerBound <= position { low = middle } else { high = middle }
        }
        return low
    }

    func indexPath(at position: Int) -> IndexPath {
        let section = section(at: position)
        return IndexPath(row: position - sections[section].range.lowerBound, section: section)
    }
}

/// Builds the sections of a content from runs of results, in order.
struct SectionBuilder {
    /// Whether results are divided by section name. If not, all are in one section without a name, which exists even
    /// without results.
    let isSectioned: Bool
    private var names: [String] = []
    private var ends: [Int] = []

    init(isSectioned: Bool) {
        self.isSectioned = isSectioned
        guard !isSectioned else { return }
        names = [""]
        ends = [0]
    }

    /// Appends results of one section. Extends the last section if it has the same name.
    mutating func append(_ name: String, count: Int) {
        guard count > 0 else { return }
        let end = (ends.last ?? 0) + count
        if let last = names.last, !isSectioned || SectionName.areEqual(last, name) {
            ends[ends.count - 1] = end
        } else {
            names.append(name)
            ends.append(end)
        }
    }

    var sections: [FetchedContent.Section] {
        var start = 0
        return zip(names, ends).map { name, end in
            defer { start = end }
            return FetchedContent.Section(name: name, range: start..<end)
        }
    }

    /// The first section with the name of an earlier one. Nil if the results are sorted by section.
    static func firstDuplicate(_ sections: [FetchedContent.Section]) -> FetchedContent.Section? {
        var names = Set<[UInt8]>(minimumCapacity: sections.count)
        return sections.first { !names.insert(Array($0.name.utf8)).inserted }
    }
}

/// Reads section names: the values at the section name key path, as text.
struct SectionName {
    let keyPath: String
    private let keys: [String]

    init(_ keyPath: String) {
        self.keyPath = keyPath
        keys = KeyPathEvaluation.split(keyPath)
    }

    func name(of result: Any) -> String {
        guard let value = KeyPathEvaluation.value(of: result, path: keys[...]) else { return "" }
        switch value {
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case is NSSet, is NSOrderedSet, is NSArray:
            programmingError(
                "The section name key path '\(keyPath)' of an NSFetchedResultsController leads to several values.",
                remedy: "Use a key path to an attribute that passes through to-one relationships only.")
        default: return String(describing: value)
        }
    }

    /// Names are compared byte by byte, as stores compare strings.
    static func areEqual(_ first: String, _ second: String) -> Bool { first.utf8.elementsEqual(second.utf8) }
}
