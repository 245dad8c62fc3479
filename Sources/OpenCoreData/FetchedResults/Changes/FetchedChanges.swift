/// What an edit is in the words of a delegate: sections and objects inserted, deleted, moved and updated.
struct FetchedChanges {
    struct Pair {
        let old: Int
        let new: Int
    }

    let edit: FetchedEdit
    /// Old indexes, descending.
    let deletedSections: [Int]
    /// New indexes, ascending.
    let insertedSections: [Int]
    /// Old positions, descending.
    let deleted: [Int]
    /// New positions, ascending.
    let inserted: [Int]
    /// By new position, ascending.
    let moved: [Pair]
    let updated: [Pair]

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty && moved.isEmpty
            && updated.isEmpty
    }

    init(_ edit: FetchedEdit) {
        self.edit = edit
        let touched = TouchedPositions(edit.removed + edit.entries.compactMap(\.old))
        let origins = SectionOrigins(edit, touched: touched)
        deletedSections = origins.deleted
        insertedSections = origins.inserted
        deleted = edit.removed.reversed()
        inserted = edit.entries.compactMap { $0.old == nil ? $0.new : nil }

        let stays = StayingElements.find(
            edit.entries.enumerated().map { index, entry in
                guard let old = entry.old else { return nil }
                guard origins.origin[edit.new.section(at: entry.new)] == edit.old.section(at: old) else { return nil }
                return StayingElements.Candidate(
                    old: old, oldGap: touched.untouched(before: old), newGap: entry.new - index)
            })
        var moved: [Pair] = []
        var updated: [Pair] = []
        for (entry, stays) in zip(edit.entries, stays) {
            guard let old = entry.old else { continue }
            if !stays {
                moved.append(Pair(old: old, new: entry.new))
            } else if entry.isChanged {
                updated.append(Pair(old: old, new: entry.new))
            }
        }
        let carried = origins.carried
        if !carried.isEmpty { moved = (moved + carried).sorted { $0.new < $1.new } }
        self.moved = moved
        self.updated = updated
    }
}

/// Which old section each new one is, where it is one that has stayed.
private struct SectionOrigins {
    /// By new index; nil for a section that is inserted.
    private(set) var origin: [Int?]
    private(set) var inserted: [Int] = []
    private(set) var deleted: [Int] = []
    /// Untouched objects whose section is told as another one: only where results were not sorted by section.
    private(set) var carried: [FetchedChanges.Pair] = []

    init(_ edit: FetchedEdit, touched: TouchedPositions) {
        let olds = edit.old.sections
        let news = edit.new.sections
        origin = [Int?](repeating: nil, count: news.count)
        if olds.count == news.count, zip(olds, news).allSatisfy({ SectionName.isSame($0.name, $1.name) }) {
            origin = Array(news.indices)
            return
        }
        let untouched = Self.untouched(edit)
        // A section with untouched objects is the one that these were in.
        var taken = Set<Int>()
        for index in news.indices {
            guard let first = untouched[index].first else { continue }
            let section = edit.old.section(at: touched.position(ofUntouched: first))
            guard SectionName.isSame(olds[section].name, news[index].name), taken.insert(section).inserted else {
                continue
            }
            origin[index] = section
        }
        let fixed = taken.sorted()
        findOthers(olds, news, fixed: fixed)
        let kept = Set(origin.compactMap { $0 })
        inserted = news.indices.filter { origin[$0] == nil }
        deleted = olds.indices.reversed().filter { !kept.contains($0) }
        for index in news.indices {
            func hasStayed(_ number: Int) -> Bool {
                origin[index] == edit.old.section(at: touched.position(ofUntouched: number))
            }
            // What lies between two objects of one section was in it too.
            guard let first = untouched[index].first, let last = untouched[index].last,
                !hasStayed(first) || !hasStayed(last)
            else { continue }
            for number in untouched[index] where !hasStayed(number) {
                let old = touched.position(ofUntouched: number)
                carried.append(
                    FetchedChanges.Pair(old: old, new: number + edit.entries.prefixCount { $0.new - $1 <= number }))
            }
        }
    }

    /// Sections of touched objects alone are found by name, unless they have changed places.
    private mutating func findOthers(_ olds: [FetchedContent.Section], _ news: [FetchedContent.Section], fixed: [Int]) {
        let taken = Set(fixed)
        var byName: [[UInt8]: Int] = [:]
        for index in olds.indices.reversed() where !taken.contains(index) {
            byName[Array(olds[index].name.utf8)] = index
        }
        let positions = TouchedPositions(fixed)
        var passed = 0
        let candidates = news.indices.map { index -> StayingElements.Candidate? in
            if origin[index] != nil {
                passed += 1
                return nil
            }
            guard let old = byName.removeValue(forKey: Array(news[index].name.utf8)) else { return nil }
            return StayingElements.Candidate(old: old, oldGap: old - positions.untouched(before: old), newGap: passed)
        }
        for (index, stays) in StayingElements.find(candidates).enumerated() where stays {
            origin[index] = candidates[index]?.old
        }
    }

    /// The numbers of the untouched objects in each new section.
    private static func untouched(_ edit: FetchedEdit) -> [Range<Int>] {
        var entry = 0
        var start = 0
        return edit.new.sections.map { section in
            var entered = 0
            while entry < edit.entries.count, edit.entries[entry].new < section.range.upperBound {
                entry += 1
                entered += 1
            }
            defer { start += section.range.count - entered }
            return start..<(start + section.range.count - entered)
        }
    }
}

extension [FetchedEdit.Entry] {
    /// How many of the first entries meet a condition that the later ones don't; it is given each entry and its index.
    fileprivate func prefixCount(where condition: (FetchedEdit.Entry, Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle], middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
