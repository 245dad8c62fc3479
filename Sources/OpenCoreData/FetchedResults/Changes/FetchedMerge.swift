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

    private struct Arrival {
        let object: NSManagedObject
        let old: Int?
        let place: FetchedSelection.Place
        let section: String
        /// The number of untouched objects before it.
        var gap = 0
    }

    private let old: FetchedContent
    private let selection: FetchedSelection
    private let isDivided: Bool
    private let positions: TouchedPositions
    private let removed: [Int]
    private var arrivals: [Arrival]
    /// The places that searches have read.
    private var known: [Int: FetchedSelection.Place] = [:]

    init(_ touched: [Touched], into old: FetchedContent, selection: FetchedSelection, sectionName: SectionName?) {
        self.old = old
        self.selection = selection
        isDivided = sectionName != nil
        positions = TouchedPositions(touched.compactMap(\.old))
        removed = touched.compactMap { $0.isHeld ? nil : $0.old }.sorted()
        arrivals = touched.compactMap { touched in
            guard touched.isHeld else { return nil }
            return Arrival(
                object: touched.object, old: touched.old, place: selection.place(of: touched.object),
                section: sectionName?.name(of: selection.subject(touched.object)) ?? "")
        }
        arrivals.sort { selection.precedes($0.place, $1.place) }
    }

    /// The new content.
    mutating func edit() -> FetchedEdit {
        findGaps()
        let entries = arrivals.enumerated().map { index, arrival in
            FetchedEdit.Entry(new: arrival.gap + index, old: arrival.old, isChanged: true)
        }
        let new = isAsBefore(entries) ? old : content()
        return FetchedEdit(old: old, new: new, removed: removed, entries: entries)
    }

    /// Whether nothing but values has changed.
    private func isAsBefore(_ entries: [FetchedEdit.Entry]) -> Bool {
        guard removed.isEmpty, entries.allSatisfy({ $0.old == $0.new }) else { return false }
        return !isDivided
            || arrivals.allSatisfy { SectionName.isSame(old.sections[old.section(at: $0.old!)].name, $0.section) }
    }

    // MARK: Searching

    private mutating func findGaps() {
        var least = 0
        for index in arrivals.indices {
            least = gap(of: arrivals[index], from: least)
            arrivals[index].gap = least
        }
    }

    /// - Parameter least: the gap of the arrival before: arrivals are sorted.
    private mutating func gap(of arrival: Arrival, from least: Int) -> Int {
        let count = old.objects.count - positions.positions.count
        // Most changes leave an object where it is.
        if let position = arrival.old {
            let gap = positions.untouched(before: position)
            if gap >= least, gap == least || follows(arrival, untouched: gap - 1),
                gap == count || !follows(arrival, untouched: gap)
            {
                return gap
            }
        }
        var low = least
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if follows(arrival, untouched: middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func follows(_ arrival: Arrival, untouched number: Int) -> Bool {
        if let place = known[number] { return selection.precedes(place, arrival.place) }
        let place = selection.place(of: old.objects[positions.position(ofUntouched: number)])
        known[number] = place
        return selection.precedes(place, arrival.place)
    }

    // MARK: Putting together

    private func content() -> FetchedContent {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(old.objects.count + arrivals.count)
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

        for arrival in arrivals {
            if arrival.gap > 0 { take(upTo: positions.position(ofUntouched: arrival.gap - 1) + 1) }
            objects.append(arrival.object)
            runs.append(arrival.section, count: 1)
        }
        take(upTo: old.objects.count)
        return FetchedContent(objects: objects, sections: runs.sections)
    }
}
