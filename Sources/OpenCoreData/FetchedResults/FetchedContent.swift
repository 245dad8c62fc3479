/// What a controller shows: results in order, and the sections that they form. Never changed, only replaced.
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

    /// The index of the section that a position lies in.
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

/// Sections in the making, one run of results after the other.
struct SectionRuns {
    /// Whether results are divided; else all are in one section without a name, even if there are none.
    let isDivided: Bool
    private var names: [String] = []
    private var ends: [Int] = []

    init(isDivided: Bool) {
        self.isDivided = isDivided
        guard !isDivided else { return }
        names = [""]
        ends = [0]
    }

    /// Adds results that are in one section.
    mutating func append(_ name: String, count: Int) {
        guard count > 0 else { return }
        let end = (ends.last ?? 0) + count
        if let last = names.last, !isDivided || SectionName.isSame(last, name) {
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

    /// The first section whose name an earlier one has already: results are not sorted by section.
    static func firstRepeated(_ sections: [FetchedContent.Section]) -> FetchedContent.Section? {
        var seen = Set<[UInt8]>(minimumCapacity: sections.count)
        return sections.first { !seen.insert(Array($0.name.utf8)).inserted }
    }
}
