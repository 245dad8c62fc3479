// SPDX-License-Identifier: Apache-2.0

/// The rows of a batch insert from an array of dictionaries.
final class DictionaryRows: BatchRowSource {
    /// The properties that the row has. Unchecked, like `keys`: used for each row, by one batch insert alone.
    @exclusivity(unchecked) private var given: [Int] = []
    private let dictionaries: [[String: Any]]
    private let writer: BatchValueWriter
    @exclusivity(unchecked) private var keys: RowKeys
    private var index = 0

    init(_ dictionaries: [[String: Any]], _ writer: BatchValueWriter) {
        self.dictionaries = dictionaries
        self.writer = writer
        keys = RowKeys(writer)
    }

    func given(_ cells: Cells) -> [Int] { given }

    func next(_ cells: Cells) throws -> Bool {
        guard index < dictionaries.count else { return false }
        given.removeAll(keepingCapacity: true)
        for (key, value) in dictionaries[index] {
            let slot = try keys.slot(key)
            try writer.write(value, slot, cells)
            given.append(slot.index)
        }
        index += 1
        return true
    }
}

/// The properties of the keys that rows had so far.
///
/// The order of keys differs from dictionary to dictionary. A small table with a plain hash finds a property in a
/// fraction of the time of the layout's dictionary: it has property names only, so a program's data can't fill it with
/// colliding keys.
private struct RowKeys {
    private var entries: [(key: String, slot: PropertySlot)?]
    private var count = 0
    private let writer: BatchValueWriter

    init(_ writer: BatchValueWriter) {
        self.writer = writer
        var capacity = 16
        while capacity < writer.layout.properties.count * 4 { capacity *= 2 }
        entries = Array(repeating: nil, count: capacity)
    }

    /// The property of a key.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a key that the entity doesn't have.
    mutating func slot(_ key: String) throws -> PropertySlot {
        let mask = entries.count - 1
        var position = Self.hash(key) & mask
        while let entry = entries[position] {
            if entry.key == key { return entry.slot }
            position = (position + 1) & mask
        }
        let slot = try writer.slot(key)
        // Equal keys may have different bytes, so there may be more keys than properties.
        if count < entries.count / 2 {
            entries[position] = (key, slot)
            count += 1
        }
        return slot
    }

    /// FNV-1a of the bytes.
    @inline(__always)
    private static func hash(_ key: String) -> Int {
        var key = key
        return key.withUTF8 { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return Int(truncatingIfNeeded: hash ^ hash >> 32)
        }
    }
}

/// The rows of a batch insert from a block that fills dictionaries.
///
/// The dictionary is Foundation's. It makes objects of all keys and values, which takes two thirds of the time of such
/// a batch. A subclass that stores the values itself would be faster, and wrong: a cast to a Swift dictionary reads the
/// storage of `NSDictionary`, whatever a subclass overrides.
final class DictionaryHandlerRows: BatchRowSource {
    /// The properties that the row has. Unchecked, like `keys`: used for each row, by one batch insert alone.
    @exclusivity(unchecked) private var given: [Int] = []
    private let handler: (NSMutableDictionary) -> Bool
    private let writer: BatchValueWriter
    private var dictionary = NSMutableDictionary()
    @exclusivity(unchecked) private var keys: RowKeys

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
        keys = RowKeys(writer)
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
        // Foundation's iterator would look up each key again.
        var failure: (any Error)?
        dictionary.enumerateKeysAndObjects { key, value, stop in
            do {
                let slot = try keys.slot(key as? String ?? "\(key)")
                try writer.write(value, slot, cells)
                given.append(slot.index)
            } catch {
                failure = error
                stop.pointee = true
            }
        }
        if let failure { throw failure }
        return true
    }
}

/// The rows of a batch insert from a block that sets the values of objects without a context.
final class ObjectHandlerRows: BatchRowSource {
    private let handler: (NSManagedObject) -> Bool
    private let writer: BatchValueWriter
    /// The properties that a batch request can set.
    private let slots: [PropertySlot]
    /// The properties whose cells may have a value that is out of range.
    private let checkedSlots: [PropertySlot]
    private let relationships: [PropertySlot]
    private let objectClass: NSManagedObject.Type

    init(_ handler: @escaping (NSManagedObject) -> Bool, _ writer: BatchValueWriter) {
        self.handler = handler
        self.writer = writer
        slots = writer.layout.properties.filter {
            !$0.isTransient && $0.derivation == nil && ($0.cell >= 0 || $0.kind == .toMany)
        }
        checkedSlots = slots.filter(\.mayContainInvalidValue)
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
                // The block hasn't kept the object: it gets the default values of the row, and the row gets its own.
                cells.swap(with: object.cells, wordCount: layout.wordCount)
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
        return content.count > 0
    }
}
