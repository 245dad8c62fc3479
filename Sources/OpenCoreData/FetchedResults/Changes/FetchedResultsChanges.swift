// SPDX-License-Identifier: Apache-2.0

/// An edit as the delegate's methods report it: sections and objects inserted, deleted, moved and updated.
struct FetchedResultsChanges {
    struct PositionPair {
        let old: Int
        let new: Int
    }

    let edit: FetchedContentEdit
    /// Old indexes, descending.
    let deletedSections: [Int]
    /// New indexes, ascending.
    let insertedSections: [Int]
    /// Old positions, descending.
    let deleted: [Int]
    /// New positions, ascending.
    let inserted: [Int]
    /// By new position, ascending.
    let moved: [PositionPair]
    let updated: [PositionPair]

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty && moved.isEmpty
            && updated.isEmpty
    }

    init(_ edit: FetchedContentEdit) {
        self.edit = edit
        let changed = ChangedPositions(edit.removed + edit.entries.compactMap(\.old))
        let sections = SectionMatching(edit, changed: changed)
        deletedSections = sections.deleted
        insertedSections = sections.inserted
        deleted = edit.removed.reversed()
        inserted = edit.entries.compactMap { $0.old == nil ? $0.new : nil }

        let unmoved = LongestIncreasingSubsequence.unmoved(
            edit.entries.enumerated().map { index, entry in
                guard let old = entry.old else { return nil }
                guard sections.oldIndexes[edit.new.section(at: entry.new)] == edit.old.section(at: old) else {
                    return nil
                }
                return LongestIncreasingSubsequence.Candidate(
                    old: old, oldFixedCount: changed.unchangedCount(before: old), newFixedCount: entry.new - index)
            })
        var moved: [PositionPair] = []
        var updated: [PositionPair] = []
        for (entry, isUnmoved) in zip(edit.entries, unmoved) {
            guard let old = entry.old else { continue }
            // A changed sort value is a move, as on Apple's platforms, also if the position is the same.
            if !isUnmoved || entry.change == .sortValue {
                moved.append(PositionPair(old: old, new: entry.new))
            } else if entry.change == .values {
                updated.append(PositionPair(old: old, new: entry.new))
            }
        }
        if !sections.movedUnchanged.isEmpty { moved = (moved + sections.movedUnchanged).sorted { $0.new < $1.new } }
        self.moved = moved
        self.updated = updated
    }
}

/// Matches the sections of the new content with the sections of the old content.
private struct SectionMatching {
    /// By new index; nil for a section that is inserted.
    private(set) var oldIndexes: [Int?]
    private(set) var inserted: [Int] = []
    private(set) var deleted: [Int] = []
    /// Unchanged results whose section is reported as another one. This happens only if the results were not sorted by
    /// section.
    private(set) var movedUnchanged: [FetchedResultsChanges.PositionPair] = []

    init(_ edit: FetchedContentEdit, changed: ChangedPositions) {
        let olds = edit.old.sections
        let news = edit.new.sections
        oldIndexes = [Int?](repeating: nil, count: news.count)
        if olds.count == news.count, zip(olds, news).allSatisfy({ SectionName.areEqual($0.name, $1.name) }) {
            oldIndexes = Array(news.indices)
            return
        }
        let unchanged = Self.unchangedNumbers(edit)
        // A section with unchanged results is the old section of these results.
        var matched = Set<Int>()
        for index in news.indices {
            guard let first = unchanged[index].first else { continue }
            let section = edit.old.section(at: changed.position(ofUnchanged: first))
            guard SectionName.areEqual(olds[section].name, news[index].name), matched.insert(section).inserted else {
                continue
            }
            oldIndexes[index] = section
        }
        matchByName(olds, news, fixed: matched.sorted())
        let matchedOlds = Set(oldIndexes.compactMap { $0 })
        inserted = news.indices.filter { oldIndexes[$0] == nil }
        deleted = olds.indices.reversed().filter { !matchedOlds.contains($0) }
        for index in news.indices {
            func isInMatchedSection(_ number: Int) -> Bool {
                oldIndexes[index] == edit.old.section(at: changed.position(ofUnchanged: number))
            }
            // If the first and the last result were in the matched section, all between them were too.
            guard let first = unchanged[index].first, let last = unchanged[index].last,
                !isInMatchedSection(first) || !isInMatchedSection(last)
            else { continue }
            for number in unchanged[index] where !isInMatchedSection(number) {
                let old = changed.position(ofUnchanged: number)
                movedUnchanged.append(
                    FetchedResultsChanges.PositionPair(
                        old: old, new: number + edit.entries.prefixCount { $0.new - $1 <= number }))
            }
        }
    }

    /// Matches sections without unchanged results by name, unless their order has changed.
    private mutating func matchByName(_ olds: [FetchedContent.Section], _ news: [FetchedContent.Section], fixed: [Int])
    {
        let matched = Set(fixed)
        var byName: [[UInt8]: Int] = [:]
        for index in olds.indices.reversed() where !matched.contains(index) {
            byName[Array(olds[index].name.utf8)] = index
        }
        let positions = ChangedPositions(fixed)
        var fixedCount = 0
        let candidates = news.indices.map { index -> LongestIncreasingSubsequence.Candidate? in
            if oldIndexes[index] != nil {
                fixedCount += 1
                return nil
            }
            guard let old = byName.removeValue(forKey: Array(news[index].name.utf8)) else { return nil }
            return LongestIncreasingSubsequence.Candidate(
                old: old, oldFixedCount: old - positions.unchangedCount(before: old), newFixedCount: fixedCount)
        }
        for (index, isUnmoved) in LongestIncreasingSubsequence.unmoved(candidates).enumerated() where isUnmoved {
            oldIndexes[index] = candidates[index]?.old
        }
    }

    /// The numbers of the unchanged results in each new section.
    private static func unchangedNumbers(_ edit: FetchedContentEdit) -> [Range<Int>] {
        var entry = 0
        var start = 0
        return edit.new.sections.map { section in
            var entryCount = 0
            while entry < edit.entries.count, edit.entries[entry].new < section.range.upperBound {
                entry += 1
                entryCount += 1
            }
            defer { start += section.range.count - entryCount }
            return start..<(start + section.range.count - entryCount)
        }
    }
}

extension [FetchedContentEdit.Entry] {
    /// The number of entries up to the first that fails a condition; all later entries must fail it too. The condition
    /// gets an entry and its index.
    fileprivate func prefixCount(where condition: (FetchedContentEdit.Entry, Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle], middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
