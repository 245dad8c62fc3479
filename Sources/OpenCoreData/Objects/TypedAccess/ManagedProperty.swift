// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// **Extension.** A property of managed objects, by name and Swift type: the fastest access to its value.
///
/// Declare one static constant for each accessor. It remembers the position of the value in objects of the entity, so
/// that reading and writing need no look-up by name.
///
/// ```swift
/// final class Song: NSManagedObject {
///     private static let durationProperty = ManagedProperty<Double>("duration")
///     var duration: Double {
///         get { self[Song.durationProperty] }
///         set { self[Song.durationProperty] = newValue }
///     }
/// }
/// ```
///
/// The type must be a type that Core Data's own accessors may have: numbers, `Bool`, `String`, `Date`, `Data`, `UUID`,
/// `URL` and `Decimal`, optional or not; `NSNumber`, `NSDecimalNumber` and other classes of Foundation; enumerations
/// over integers or strings; `NSSet`, `NSOrderedSet` and `Set` of objects, and classes of objects, for relationships;
/// any type for transformable attributes. If the type isn't optional, nil reads as zero, or as empty. A name like
/// `primitiveTitle` means `title` if the entity has no property of that name.
///
/// Reading fires a fault (at most one `SELECT`); writing marks the object as changed and maintains the inverse of a
/// relationship, as ``NSManagedObject/setValue(_:forKey:)`` does. The program stops at the first access if the entity
/// has no such property, or if the type doesn't match the attribute's type. The constant may be used on any thread, the
/// object on its context's queue.
public struct ManagedProperty<Value>: @unchecked Sendable {
    /// Allocated once for each declaration and never deallocated. A property is a plain address, which costs no
    /// reference counting.
    @usableFromInline let storage: UnsafeMutablePointer<ManagedPropertyStorage>

    /// The property's name in the model.
    public var name: String { storage.pointee.name }

    /// Names a property.
    ///
    /// - Parameters:
    ///   - name: the property's name in the model.
    ///   - file: the file of the declaration: declarations of equal names don't share a storage.
    ///   - line: the line of the declaration.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        storage = ManagedPropertyStorages.storage(name: name, type: Value.self, file: file, line: line)
    }

    @inlinable
    @inline(__always)
    init(storage: UnsafeMutablePointer<ManagedPropertyStorage>) { self.storage = storage }

    /// The position of the property's cell in an object.
    @inline(__always)
    func cell(of object: NSManagedObject, accepting kinds: StorageKinds) -> Int {
        knownCell(of: object) ?? object.resolveCell(storage, accepting: kinds, as: Value.self)
    }

    /// The position of the property's cell, if ``cell(of:accepting:)`` has found it for the entity of an object before.
    @inline(__always)
    func knownCell(of object: NSManagedObject) -> Int? {
        storage.pointee.cellLocation.position(in: object)
    }

    /// The property's slot in the layout of an object, whatever its kind.
    @inline(__always)
    func slot(of object: NSManagedObject) -> PropertySlot {
        guard let position = storage.pointee.slotLocation.position(in: object) else {
            return object.resolveSlot(storage, as: Value.self)
        }
        return object.layout.properties[position]
    }

    /// Whether the name denotes a primitive accessor: the layout has no property of that name.
    func isPrimitive(in layout: EntityLayout) -> Bool { layout.position(of: name) == nil }
}

/// The properties that an accessor's name may mean.
private enum PropertyNames {
    /// `primitiveTitle` means `title`, `uRLs` (of `addToURLs`) means `URLs`.
    static func alternatives(to name: String) -> [String] {
        var names: [String] = []
        if name.hasPrefix("primitive") {
            let rest = name.dropFirst("primitive".count)
            if let first = rest.first, !first.isLowercase {
                names += [first.lowercased() + rest.dropFirst(), String(rest)]
            }
        }
        return names + [name.prefix(1).uppercased() + name.dropFirst()]
    }
}

/// The state of one declaration of a `ManagedProperty`: its name, and the position found at its last use.
@usableFromInline
struct ManagedPropertyStorage: ~Copyable {
    let name: String
    /// The position of the cell.
    let cellLocation = PropertyLocation()
    /// The position of the property.
    let slotLocation = PropertyLocation()

    init(name: String) { self.name = name }

    static func pointer(_ address: MemoryAddress) -> UnsafeMutablePointer<Self> {
        UnsafeMutableRawPointer(mutating: address.pointer).assumingMemoryBound(to: Self.self)
    }

    /// Discards positions in layouts that are deallocated.
    func forgetLayouts(_ numbers: Range<UInt32>) {
        cellLocation.forgetLayouts(numbers)
        slotLocation.forgetLayouts(numbers)
    }
}

/// The look-ups, which are rare: accessors of all types share them. As methods of the object they leave its register as
/// it is, so that the accessors save few registers.
extension NSManagedObject {
    @inline(never)
    fileprivate final func resolveCell(
        _ storage: UnsafeMutablePointer<ManagedPropertyStorage>, accepting kinds: StorageKinds, as type: Any.Type
    ) -> Int {
        let name = storage.pointee.name
        if layout.isRecording {
            return KeyRecording.slot(of: name, in: self, as: type) { kinds.contains($0.kind) }.cell
        }
        let slot = foundSlot(named: name)
        guard kinds.contains(slot.kind) else {
            programmingError(
                """
                The accessor of \(layout.name).\(name) has the type \(type), which doesn't match \
                the attribute's type \(slot.kind).
                """,
                remedy: "Give the accessor the attribute's type.")
        }
        storage.pointee.cellLocation.remember(slot.cell, of: slot, in: layout)
        return slot.cell
    }

    @inline(never)
    fileprivate final func resolveSlot(
        _ storage: UnsafeMutablePointer<ManagedPropertyStorage>, as type: Any.Type
    ) -> PropertySlot {
        let name = storage.pointee.name
        if layout.isRecording {
            return KeyRecording.slot(of: name, in: self, as: type) { $0.kind == .undefined }
        }
        let slot = foundSlot(named: name)
        storage.pointee.slotLocation.remember(slot.index, of: slot, in: layout)
        return slot
    }

    private final func foundSlot(named name: String) -> PropertySlot {
        if let slot = layout.slot(named: name) { return slot }
        for other in PropertyNames.alternatives(to: name) { if let slot = layout.slot(named: other) { return slot } }
        programmingError(
            """
            The entity \(layout.name) is not key value coding-compliant for the key \
            \"\(name)\".\(NearestNames.suggestion(for: name, in: layout.properties.map(\.name)))
            """,
            remedy: "Its properties are: \(layout.properties.map(\.name).sorted().joined(separator: ", ")).")
    }
}

/// A position in objects of an entity, which threads remember.
struct PropertyLocation: ~Copyable {
    /// The number of the declaring layout (32 bits), its span (16) and the position (16). All stand in one word, so
    /// that two threads that store it can't mix two results. 0 if no position is known.
    private let word = Atomic<UInt64>(0)

    /// The position, if it is known for the entity of an object.
    @inline(__always)
    func position(in object: NSManagedObject) -> Int? {
        let word = word.load(ordering: .relaxed)
        // The layout numbers of an entity and its subentities are contiguous and begin at 1, so one comparison finds
        // out whether the object is of the declaring entity.
        let distance = object.layoutNumber &- UInt32(truncatingIfNeeded: word >> 32)
        return distance <= UInt32(truncatingIfNeeded: word >> 16) & 0xFFFF ? Int(word & 0xFFFF) : nil
    }

    /// Remembers a position for the entity that declares a property, and for its subentities.
    func remember(_ position: Int, of slot: PropertySlot, in layout: EntityLayout) {
        var declaring = layout
        while let above = declaring.superlayout, above.position(of: slot.name) != nil { declaring = above }
        guard declaring.span <= 0xFFFF && position <= 0xFFFF else { return }
        word.store(
            UInt64(declaring.number) << 32 | UInt64(declaring.span) << 16 | UInt64(position), ordering: .relaxed)
    }

    func forgetLayouts(_ numbers: Range<UInt32>) {
        let known = word.load(ordering: .relaxed)
        guard known != 0, numbers.contains(UInt32(truncatingIfNeeded: known >> 32)) else { return }
        // Another thread may have stored a position in another layout since. That position stays.
        _ = word.compareExchange(expected: known, desired: 0, ordering: .relaxed)
    }
}

/// The storages of all properties: one for each declaration, however often its initializer runs.
enum ManagedPropertyStorages {
    private struct Key: Hashable {
        let name: String
        let type: ObjectIdentifier
        let file: String
        let line: UInt
    }

    private static let known = Locked<[Key: MemoryAddress]>([:])
    /// Observes the layout numbers, from the first declaration on.
    private static let observesLayouts: Void = LayoutNumbers.onRelease(forgetLayouts)

    static func storage(name: String, type: Any.Type, file: StaticString, line: UInt)
        -> UnsafeMutablePointer<ManagedPropertyStorage>
    {
        observesLayouts
        let address = known.withLock { known in
            let key = Key(name: name, type: ObjectIdentifier(type), file: "\(file)", line: line)
            if let address = known[key] { return address }
            let new = UnsafeMutablePointer<ManagedPropertyStorage>.allocate(capacity: 1)
            new.initialize(to: ManagedPropertyStorage(name: name))
            let address = MemoryAddress(UnsafeRawPointer(new))
            known[key] = address
            return address
        }
        return ManagedPropertyStorage.pointer(address)
    }

    /// A new storage that no other declaration shares, for a declaration that is initialized once.
    static func newStorage(name: String) -> UnsafeMutablePointer<ManagedPropertyStorage> {
        let new = UnsafeMutablePointer<ManagedPropertyStorage>.allocate(capacity: 1)
        new.initialize(to: ManagedPropertyStorage(name: name))
        let address = MemoryAddress(UnsafeRawPointer(new))
        observesLayouts
        others.withLock { $0.append(address) }
        return new
    }

    /// The storages that no declaration shares.
    private static let others = Locked<[MemoryAddress]>([])

    /// Discards positions in layouts that are deallocated, before their numbers are used again.
    ///
    /// No thread can still store such a position: it would need an object of the layout.
    static func forgetLayouts(_ numbers: Range<UInt32>) {
        known.withLock { known in
            for address in known.values { ManagedPropertyStorage.pointer(address).pointee.forgetLayouts(numbers) }
        }
        others.withLock { others in
            for address in others { ManagedPropertyStorage.pointer(address).pointee.forgetLayouts(numbers) }
        }
    }
}

/// The kinds of attributes that an accessor of one type may have.
struct StorageKinds: OptionSet {
    let rawValue: UInt32

    @inline(__always) func contains(_ kind: StorageKind) -> Bool { rawValue & (1 << UInt32(kind.rawValue)) != 0 }

    // Computed, because a stored constant would be initialized at its first use, and each access would check for that.
    @inline(__always) private static func of(_ kind: StorageKind) -> StorageKinds {
        StorageKinds(rawValue: 1 << UInt32(kind.rawValue))
    }

    @inline(__always) static var integers: StorageKinds {
        of(.integer16).union(of(.integer32)).union(of(.integer64)).union(of(.boolean))
    }
    @inline(__always) static var real: StorageKinds { of(.double).union(of(.float)) }
    /// A scalar accessor of a date counts seconds since the reference date.
    @inline(__always) static var realOrDate: StorageKinds { real.union(date) }
    @inline(__always) static var date: StorageKinds { of(.date) }
    @inline(__always) static var string: StorageKinds { of(.string) }
    @inline(__always) static var decimal: StorageKinds { of(.decimal) }
    @inline(__always) static var data: StorageKinds { of(.data) }
    @inline(__always) static var uuid: StorageKinds { of(.uuid) }
    @inline(__always) static var uri: StorageKinds { of(.uri) }
}
