// SPDX-License-Identifier: Apache-2.0

/// Merges changed objects into a sorted content.
///
/// The unchanged results keep their order. A binary search finds the position of each changed object among them, so
/// only the unchanged results on its path are read and compared.
struct FetchedContentMerge {
    /// An object of the change event that is, or was, among the results.
    struct ChangedResult {
        let object: NSManagedObject
        /// The old position; nil if the object was not among the results.
        let old: Int?
        /// Whether the object belongs to the results now.
        let matches: Bool
    }

    /// A changed object that belongs to the results now.
    private struct Insertion {
        let object: NSManagedObject
        let old: Int?
        let sortPosition: FetchedResultsCriteria.SortPosition
        let section: String
        /// The number of unchanged results before it.
        var unchangedBefore = 0
    }

    private let old: FetchedContent
    private let criteria: FetchedResultsCriteria
    private let isSectioned: Bool
    private let changed: ChangedPositions
    private let removed: [Int]
    /// Sorted.
    private var insertions: [Insertion]
    /// The sort positions of unchanged results that searches have read, by number.
    private var sortPositions: [Int: FetchedResultsCriteria.SortPosition] = [:]

    init(
        _ results: [ChangedResult], into old: FetchedContent, criteria: FetchedResultsCriteria,
        sectionName: SectionName?
    ) {
        self.old = old
        self.criteria = criteria
        isSectioned = sectionName != nil
        changed = ChangedPositions(results.compactMap(\.old))
        removed = results.compactMap { $0.matches ? nil : $0.old }.sorted()
        insertions = results.compactMap { result in
            guard result.matches else { return nil }
            return Insertion(
                object: result.object, old: result.old, sortPosition: criteria.sortPosition(of: result.object),
                section: sectionName?.name(of: criteria.evaluationTarget(for: result.object)) ?? "")
        }
        insertions.sort { criteria.precedes($0.sortPosition, $1.sortPosition) }
    }

    /// Merges, and returns the edit with the new content.
    mutating func edit() -> FetchedContentEdit {
        findPositions()
        let entries = insertions.enumerated().map { index, insertion in
            FetchedContentEdit.Entry(
                new: insertion.unchangedBefore + index, old: insertion.old,
                change: criteria.change(of: insertion.object))
        }
        let new = hasSamePositions(entries) ? old : mergedContent()
        return FetchedContentEdit(old: old, new: new, removed: removed, entries: entries)
    }

    /// Whether the old content has the same objects at the same positions, in the same sections.
    private func hasSamePositions(_ entries: [FetchedContentEdit.Entry]) -> Bool {
        guard removed.isEmpty, entries.allSatisfy({ $0.old == $0.new }) else { return false }
        return !isSectioned
            || insertions.allSatisfy {
                SectionName.areEqual(old.sections[old.section(at: $0.old!)].name, $0.section)
            }
    }

    // MARK: Searching

    private mutating func findPositions() {
        var lowerBound = 0
        for index in insertions.indices {
            lowerBound = unchangedCount(before: insertions[index], from: lowerBound)
            insertions[index].unchangedBefore = lowerBound
        }
    }

    /// - Parameter lowerBound: the result for the previous insertion: insertions are sorted.
    private mutating func unchangedCount(before insertion: Insertion, from lowerBound: Int) -> Int {
        let count = old.objects.count - changed.positions.count
        // Most changed objects keep their position: test it before the search.
        if let position = insertion.old {
            let number = changed.unchangedCount(before: position)
            if number >= lowerBound, number == lowerBound || isUnchanged(number - 1, before: insertion),
                number == count || !isUnchanged(number, before: insertion)
            {
                return number
            }
        }
        var low = lowerBound
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isUnchanged(middle, before: insertion) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether the unchanged result with a number precedes an insertion.
    private mutating func isUnchanged(_ number: Int, before insertion: Insertion) -> Bool {
        if let position = sortPositions[number] { return criteria.precedes(position, insertion.sortPosition) }
        let position = criteria.sortPosition(of: old.objects[changed.position(ofUnchanged: number)])
        sortPositions[number] = position
        return criteria.precedes(position, insertion.sortPosition)
    }

    // MARK: Merging

    private func mergedContent() -> FetchedContent {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(old.objects.count + insertions.count)
        var builder = SectionBuilder(isSectioned: isSectioned)
        var position = 0
        var changedIndex = 0
        var section = 0

        /// Appends the unchanged results before an old position.
        func appendUnchanged(upTo end: Int) {
            while position < end {
                var next = end
                if changedIndex < changed.positions.count, changed.positions[changedIndex] < end {
                    next = changed.positions[changedIndex]
                    changedIndex += 1
                }
                objects += old.objects[position..<next]
                while position < next {
                    while old.sections[section].range.upperBound <= position { section += 1 }
                    let last = min(next, old.sections[section].range.upperBound)
                    builder.append(old.sections[section].name, count: last - position)
                    position = last
                }
                // Skip the changed result.
                if next < end { position = next + 1 }
            }
        }

        for insertion in insertions {
            if insertion.unchangedBefore > 0 {
                appendUnchanged(upTo: changed.position(ofUnchanged: insertion.unchangedBefore - 1) + 1)
            }
            objects.append(insertion.object)
            builder.append(insertion.section, count: 1)
        }
        appendUnchanged(upTo: old.objects.count)
        return FetchedContent(objects: objects, sections: builder.sections)
    }
}
