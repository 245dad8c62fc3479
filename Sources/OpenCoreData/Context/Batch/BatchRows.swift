/// The rows of a batch insert from an array of dictionaries.
final class DictionaryRows: BatchRowSource {
    private var given: [Int] = []
    private let dictionaries: [[String: Any]]
    private let writer: BatchValueWriter
    private var keys = RowKeys()
    private var index = 0

    init(_ dictionaries: [[String: Any]], _ writer: BatchValueWriter) {
        self.dictionaries = dictionaries
        self.writer = writer
    }

    func given(_ cells: Cells) -> [Int] { given }

    func next(_ cells: Cells) throws -> Bool {
        guard index < dictionaries.count else { return false }
        given.removeAll(keepingCapacity: true)
        for (key, value) in dictionaries[index] {
            let slot = try keys.slot(key, at: given.count, writer)
            try writer.write(value, slot, cells)
            given.append(slot.index)
        }
        index += 1
        return true
    }
}

/// The properties of the keys of the last row. Rows mostly have the same keys in the same order, and comparing a key
/// costs less than looking it up.
private struct RowKeys {
    private var known: [(key: String, slot: PropertySlot)] = []

    mutating func slot(_ key: String, at position: Int, _ writer: BatchValueWriter) throws -> PropertySlot {
        if position < known.count, known[position].key == key { return known[position].slot }
        let slot = try writer.slot(key)
        known.removeSubrange(min(position, known.count)...)
        known.append((key, slot))
        return slot
    }
}

/// The rows of a batch insert from a block that fills dictionaries.
final class DictionaryHandlerRows: BatchRowSource {
    private var given: [Int] = []
    private let handler: (NSMutableDictionary) -> Bool
    private let writer: BatchValueWriter
    private var dictionary = NSMutableDictionary()
    private var keys = RowKeys()

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
    }

    func given(_ cells: Cells) -> [Int] { given }

    func next(_ cells: Cells) throws -> Bool {
        // A dictionary that the block keeps stays as it is.
        if isKnownUniquelyReferenced(&dictionary) {
            dictionary.removeAllObjects()
        } else {
            dictionary = NSMutableDictionary()
        }
        if handler(dictionary) { return false }
        given.removeAll(keepingCapacity: true)
        for (key, value) in dictionary {
            let slot = try keys.slot(key as? String ?? "\(key)", at: given.count, writer)
            try writer.write(value, slot, cells)
            given.append(slot.index)
        }
        return true
    }
}

/// The rows of a batch insert from a block that sets the values of objects without a context.
final class ObjectHandlerRows: BatchRowSource {
    private let handler: (NSManagedObject) -> Bool
    private let writer: BatchValueWriter
    /// The properties that a batch request can set.
    private let slots: [PropertySlot]
    /// Those whose cells may have a value that is out of range.
    private let checkedSlots: [PropertySlot]
    private let relationships: [PropertySlot]
    private let objectClass: NSManagedObject.Type

    init(_ handler: @escaping (NSManagedObject) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
        slots = writer.layout.properties.filter {
            !$0.isTransient && $0.derivation == nil && ($0.cell >= 0 || $0.kind == .toMany)
        }
        checkedSlots = slots.filter { $0.kind == .date || $0.kind == .composite || $0.kind.integerRange != nil }
        relationships = slots.filter(\.isRelationship)
        objectClass = writer.layout.classBinding.managedObjectClass
    }

    func given(_ cells: Cells) -> [Int] {
        slots.filter { $0.cell >= 0 && !$0.isEqual(cells, writer.layout.defaultCells) }.map(\.index)
    }

    func next(_ cells: Cells) throws -> Bool {
        let layout = writer.layout
        // The block may keep the object, so each call gets a new one.
        var object = objectClass.init(entity: layout.entity, insertInto: nil)
        object.flags.insert(.modelIsKept)
        let isEnd = handler(object)
        if !isKnownUniquelyReferenced(&object) {
            object.flags.remove(.modelIsKept)
            object.keepModel()
        }
        if isEnd { return false }
        if object.flags.contains(.ownsCells) {
            if isKnownUniquelyReferenced(&object) {
                // Nobody else has the object: it gets the default values of the row, and the row gets its own.
                for cell in 0..<layout.cellCount { swap(&cells[cell], &object.cells[cell]) }
            } else {
                layout.destroy(cells)
                layout.copy(object.cells, to: cells)
            }
            for slot in checkedSlots where slot.containsInvalidValue(cells) {
                try writer.write(slot.read(cells) as Any, slot, cells)
            }
        }
        if object.links != nil { try writeRelationships(of: object, cells) }
        return true
    }

    private func writeRelationships(of object: NSManagedObject, _ cells: Cells) throws {
        for slot in relationships {
            if slot.kind == .toOne { slot.clear(cells) }
            guard let destination = object.link(slot.link) else { continue }
            // A to-many relationship that was only read is empty.
            if slot.kind == .toMany, !object.hasMembers(slot) { continue }
            try writer.write(destination, slot, cells)
        }
    }
}

extension NSManagedObject {
    fileprivate final func hasMembers(_ slot: PropertySlot) -> Bool {
        let content = toManyContent(slot, loading: false)
        return !content.members.isEmpty
    }
}
