/// The rows of a batch insert from an array of dictionaries.
final class DictionaryRows: BatchRowSource {
    private(set) var given: [Int] = []
    private let dictionaries: [[String: Any]]
    private let writer: BatchValueWriter
    private var index = 0

    init(_ dictionaries: [[String: Any]], _ writer: BatchValueWriter) {
        self.dictionaries = dictionaries
        self.writer = writer
    }

    func next(_ cells: Cells) throws -> Bool {
        guard index < dictionaries.count else { return false }
        given.removeAll(keepingCapacity: true)
        for (key, value) in dictionaries[index] {
            let slot = try writer.slot(key)
            try writer.write(value, slot, cells)
            given.append(slot.index)
        }
        index += 1
        return true
    }
}

/// The rows of a batch insert from a block that fills dictionaries.
final class DictionaryHandlerRows: BatchRowSource {
    private(set) var given: [Int] = []
    private let handler: (NSMutableDictionary) -> Bool
    private let writer: BatchValueWriter
    private let dictionary = NSMutableDictionary()

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
    }

    func next(_ cells: Cells) throws -> Bool {
        dictionary.removeAllObjects()
        if handler(dictionary) { return false }
        given.removeAll(keepingCapacity: true)
        for (key, value) in dictionary {
            let slot = try writer.slot(key as? String ?? "\(key)")
            try writer.write(value, slot, cells)
            given.append(slot.index)
        }
        return true
    }
}

/// The rows of a batch insert from a block that sets the values of objects without a context.
final class ObjectHandlerRows: BatchRowSource {
    private(set) var given: [Int] = []
    private let handler: (NSManagedObject) -> Bool
    private let writer: BatchValueWriter
    private let slots: [PropertySlot]

    init(_ handler: @escaping (NSManagedObject) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
        slots = writer.layout.properties.filter {
            !$0.isTransient && $0.derivation == nil && ($0.cell >= 0 || $0.kind == .toMany)
        }
    }

    func next(_ cells: Cells) throws -> Bool {
        let layout = writer.layout
        // The block may keep the object, so each call gets a new one.
        let object = layout.classBinding.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        if handler(object) { return false }
        given.removeAll(keepingCapacity: true)
        for slot in slots {
            if slot.isRelationship {
                guard object.links != nil, let destination = object.link(slot.link) else { continue }
                // A to-many relationship that was only read is empty.
                if slot.kind == .toMany, !object.hasMembers(slot) { continue }
                try writer.write(destination, slot, cells)
                given.append(slot.index)
            } else if !slot.isEqual(object.cells, layout.defaultCells) {
                slot.copy(from: object.cells, to: cells)
                if slot.containsInvalidValue(cells) { try writer.write(slot.read(cells) as Any, slot, cells) }
                given.append(slot.index)
            }
        }
        return true
    }
}

extension NSManagedObject {
    fileprivate final func hasMembers(_ slot: PropertySlot) -> Bool {
        let content = toManyContent(slot, loading: false)
        return !content.members.isEmpty
    }
}
