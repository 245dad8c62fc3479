/// Puts objects that were looked at again into their places among the others, which are neither read nor compared but
/// for those that a binary search comes by.
struct FetchedMerge {
    /// An object of the event.
    struct Touched {
        let object: NSManagedObject
        /// Where it was; nil if it was not among the results.
        let old: Int?
        /// Whether it belongs to the results now.
        let isHeld: Bool
    }

    private struct Addition {
        let object: NSManagedObject
        let old: Int?
        let sortPosition: FetchedSelection.SortPosition
        let section: String
        /// The number of untouched objects before it.
        var gap = 0
    }

    private let old: FetchedContent
    private let selection: FetchedSelection
    private let isDivided: Bool
    private let positions: TouchedPositions
    private let removed: [Int]
    private var additions: [Addition]
    /// The places that searches have read.
    private var known: [Int: FetchedSelection.SortPosition] = [:]

    init(_ touched: [Touched], into old: FetchedContent, selection: FetchedSelection, sectionName: SectionName?) {
        self.old = old
        self.selection = selection
        isDivided = sectionName != nil
        positions = TouchedPositions(touched.compactMap(\.old))
        removed = touched.compactMap { $0.isHeld ? nil : $0.old }.sorted()
        additions = touched.compactMap { touched in
            guard touched.isHeld else { return nil }
            return Addition(
                object: touched.object, old: touched.old, sortPosition: selection.sortPosition(of: touched.object),
                section: sectionName?.name(of: selection.subject(touched.object)) ?? "")
        }
        additions.sort { selection.precedes($0.sortPosition, $1.sortPosition) }
    }

    /// The new content.
    mutating func edit() -> FetchedEdit {
        findGaps()
        let entries = additions.enumerated().map { index, addition in
            FetchedEdit.Entry(new: addition.gap + index, old: addition.old, isChanged: true)
        }
        let new = isAsBefore(entries) ? old : content()
        return FetchedEdit(old: old, new: new, removed: removed, entries: entries)
    }

    /// Whether nothing but values has changed.
    private func isAsBefore(_ entries: [FetchedEdit.Entry]) -> Bool {
        guard removed.isEmpty, entries.allSatisfy({ $0.old == $0.new }) else { return false }
        return !isDivided
            || additions.allSatisfy { SectionName.isSame(old.sections[old.section(at: $0.old!)].name, $0.section) }
    }

    // MARK: Searching

    private mutating func findGaps() {
        var least = 0
        for index in additions.indices {
            least = gap(of: additions[index], from: least)
            additions[index].gap = least
        }
    }

    /// - Parameter least: the gap of the addition before: additions are sorted.
    private mutating func gap(of addition: Addition, from least: Int) -> Int {
        let count = old.objects.count - positions.positions.count
        // Most changes leave an object where it is.
        if let position = addition.old {
            let gap = positions.untouched(before: position)
            if gap >= least, gap == least || follows(addition, untouched: gap - 1),
                gap == count || !follows(addition, untouched: gap)
            {
                return gap
            }
        }
        var low = least
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if follows(addition, untouched: middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func follows(_ addition: Addition, untouched number: Int) -> Bool {
        if let sortPosition = known[number] { return selection.precedes(sortPosition, addition.sortPosition) }
        let sortPosition = selection.sortPosition(of: old.objects[positions.position(ofUntouched: number)])
        known[number] = sortPosition
        return selection.precedes(sortPosition, addition.sortPosition)
    }

    // MARK: Putting together

    private func content() -> FetchedContent {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(old.objects.count + additions.count)
        var runs = SectionRuns(isDivided: isDivided)
        var position = 0
        var touched = 0
        var section = 0

        /// Takes the untouched objects before an old position.
        func take(upTo end: Int) {
            while position < end {
                var next = end
                if touched < positions.positions.count, positions.positions[touched] < end {
                    next = positions.positions[touched]
                    touched += 1
                }
                objects += old.objects[position..<next]
                while position < next {
                    while old.sections[section].range.upperBound <= position { section += 1 }
                    let last = min(next, old.sections[section].range.upperBound)
                    runs.append(old.sections[section].name, count: last - position)
                    position = last
                }
                // A touched object is no part of what is taken.
                if next < end { position = next + 1 }
            }
        }

        for addition in additions {
            if addition.gap > 0 { take(upTo: positions.position(ofUntouched: addition.gap - 1) + 1) }
            objects.append(addition.object)
            runs.append(addition.section, count: 1)
        }
        take(upTo: old.objects.count)
        return FetchedContent(objects: objects, sections: runs.sections)
    }
}
