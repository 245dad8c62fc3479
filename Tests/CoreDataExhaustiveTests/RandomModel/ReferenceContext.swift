/// The expected state of one context: the state of its store or parent, its own state, and the events that can be
/// undone.
struct ReferenceContext {
    /// The graph before the unsaved changes.
    private(set) var base: ReferenceGraph
    /// The present graph. Objects whose deletion isn't saved are marked.
    private(set) var present: ReferenceGraph
    /// Stored objects that were worked on since the last save: these may count as updated, though they be what they
    /// were.
    private(set) var touched: Set<Int> = []
    /// The objects that were changed since the event began.
    private(set) var touchedInEvent: Set<Int> = []
    /// Deleted in this event: their deletion rules are not applied yet.
    private(set) var deletedInEvent: Set<Int> = []
    /// Values of transient attributes that are known to be there still.
    private(set) var notes: [Int: ReferenceValue] = [:]

    /// One event that can be undone or redone: the graph before it, and the objects that it may have changed.
    struct Event {
        let graph: ReferenceGraph
        let touched: Set<Int>
    }

    /// Whether events can be undone.
    var hasUndo = false
    private(set) var undone: [Event] = []
    private(set) var redone: [Event] = []
    private var beforeEvent: ReferenceGraph

    init(base: ReferenceGraph) {
        self.base = base
        present = base
        beforeEvent = base
    }

    // MARK: Pending changes

    func isAlive(_ number: Int) -> Bool { present.isAlive(number) }
    var inserted: Set<Int> { Set(present.alive.filter { base.records[$0] == nil }) }
    var deleted: Set<Int> { Set(base.records.keys.filter { !present.isAlive($0) }) }

    /// The stored objects that differ from what is stored.
    var changed: Set<Int> {
        touched.filter { number in
            guard let record = present.records[number], !record.isDeleted, let old = base.records[number] else {
                return false
            }
            return record != old && !record.changedKeys(from: old).isEmpty
        }
    }

    /// Everything that a context may count as changed, and everything around it.
    var involved: Set<Int> { touched.union(inserted).union(deleted).union(touchedInEvent) }

    /// All objects that will be deleted at the end of the event.
    func doomed(with number: Int? = nil) -> Set<Int> {
        var graph = present
        var first = deletedInEvent
        if let number {
            graph.records[number]!.isDeleted = true
            first.insert(number)
        }
        _ = graph.propagateDeletions(of: first)
        return Set(graph.records.filter(\.value.isDeleted).keys)
    }

    // MARK: Edits

    private mutating func touch(_ numbers: Set<Int>) {
        touchedInEvent.formUnion(numbers)
        touched.formUnion(numbers)
    }

    mutating func insert(_ number: Int, _ entity: RandomSchema.Entity) {
        present.records[number] = ReferenceRecord(entity, number: number)
        touch([number])
    }

    mutating func set(_ number: Int, _ attribute: String, _ value: ReferenceValue) {
        if RandomSchema.attribute(attribute).isTransient {
            notes[number] = value
        } else {
            present.records[number]!.values[attribute] = value
        }
        touch([number])
    }

    mutating func link(
        _ source: Int, _ relationship: RandomSchema.Relationship, _ destination: Int, at position: Int? = nil
    ) {
        touch(present.link(source, relationship, destination, at: position))
    }

    mutating func unlink(_ source: Int, _ relationship: RandomSchema.Relationship, _ destination: Int) {
        touch(present.unlink(source, relationship, destination))
    }

    mutating func replace(_ source: Int, _ relationship: RandomSchema.Relationship, with destinations: [Int]) {
        touch(present.replace(source, relationship, with: destinations))
    }

    mutating func arrange(_ source: Int, _ relationship: RandomSchema.Relationship, _ order: [Int]) {
        present.arrange(source, relationship, order)
        touch([source])
    }

    mutating func delete(_ number: Int) {
        present.records[number]!.isDeleted = true
        deletedInEvent.insert(number)
        touch([number])
    }

    // MARK: Events

    /// Applies deletion rules, removes deleted insertions, and records the event for undoing.
    mutating func endEvent() {
        touch(present.propagateDeletions(of: deletedInEvent))
        deletedInEvent = []
        forgetDeletedInsertions()
        let isEmpty = touchedInEvent.isEmpty
        if hasUndo && !isEmpty {
            undone.append(Event(graph: beforeEvent, touched: touchedInEvent))
            redone = []
        }
        beginEvent()
    }

    private mutating func beginEvent() {
        touchedInEvent = []
        deletedInEvent = []
        beforeEvent = present
    }

    private mutating func forgetDeletedInsertions() {
        for (number, record) in present.records where record.isDeleted && base.records[number] == nil {
            present.records[number] = nil
        }
    }

    mutating func undo() {
        guard let event = undone.popLast() else { return }
        redone.append(Event(graph: present, touched: event.touched))
        restore(event)
    }

    mutating func redo() {
        guard let event = redone.popLast() else { return }
        undone.append(Event(graph: present, touched: event.touched))
        restore(event)
    }

    mutating func forgetUndo() { (undone, redone) = ([], []) }

    private mutating func restore(_ event: Event) {
        let graph = event.graph
        present = graph.withoutDeleted
        // An object of the store that the graph lacks is a deletion, in the state after its event.
        for (number, record) in base.records where present.records[number] == nil {
            var deleted = graph.records[number] ?? ReferenceRecord(record.entity, number: number)
            deleted.isDeleted = true
            present.records[number] = deleted
        }
        touched.formUnion(event.touched)
        notes = [:]
        beginEvent()
    }

    // MARK: Saving and taking back

    /// Makes the present graph the one of the store.
    mutating func commit() {
        present = present.withoutDeleted
        base = present
        touched = []
        beginEvent()
    }

    mutating func rollback() {
        present = base
        touched = []
        notes = [:]
        forgetUndo()
        beginEvent()
    }

    /// Removes the transient values of some or all objects.
    mutating func forgetNotes() { notes = [:] }
    mutating func forgetNote(_ number: Int) { notes[number] = nil }

    /// A child has saved: what it has is here now, as one event.
    mutating func take(_ child: ReferenceContext) {
        touchedInEvent.formUnion(child.involved)
        touched.formUnion(child.involved)
        for number in child.base.records.keys where !child.present.isAlive(number) {
            guard var record = child.present.records[number] ?? present.records[number] else { continue }
            record.isDeleted = true
            present.records[number] = record
        }
        for number in child.present.alive { present.records[number] = child.present.records[number] }
        notes = [:]
        forgetDeletedInsertions()
        endEvent()
    }

    /// Another context has saved: unsaved changes stay, and other values come from the store.
    mutating func merge(_ store: ReferenceGraph, favouring: (Int, String) -> Bool = { _, _ in true }) {
        var merged = store
        for (number, own) in present.records {
            guard let theirs = store.records[number], let old = base.records[number] else {
                if base.records[number] == nil { merged.records[number] = own }
                continue
            }
            var record = theirs
            record.isDeleted = own.isDeleted
            for key in own.changedKeys(from: old) where favouring(number, key) {
                record.values[key] = own.values[key]
                record.links[key] = own.links[key]
            }
            merged.records[number] = record
        }
        base = store
        present = merged
        notes = [:]
        forgetUndo()
        beginEvent()
    }
}
