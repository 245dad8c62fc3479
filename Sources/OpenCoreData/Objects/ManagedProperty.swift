import Synchronization

/// **Extension.** A property of managed objects by name and type: the quick way to its value.
///
/// Keep one in a static constant for each accessor. It remembers where the value lies in objects of the entity, so
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
/// The type is that of the attribute: `Int16`, `Int32`, `Int64`, `Int`, `Bool`, `Double`, `Float` or `String`, optional or not,
/// or `Date?`, `Data?`, `UUID?`, `URL?`, `Decimal?`. A non-optional number reads nil as zero. May be used on any thread.
public struct ManagedProperty<Value>: @unchecked Sendable {
    /// What a declaration remembers; never freed, so that a property is a plain address, which costs no
    /// reference counting. Its one mutable part is atomic.
    struct Storage: ~Copyable {
        let name: String
        /// Declaring layout's number, its span, and the position: one word, so that threads that fill it don't mix two answers.
        let place = Atomic<UInt64>(0)
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// The property's name in the model.
    public var name: String { storage.pointee.name }

    /// Names a property.
    ///
    /// - Parameters:
    ///   - file: where the property is declared: equal names of two entities don't share what one of them remembers.
    ///   - line: the line of the declaration.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        let address = ManagedPropertyStorages.address(name: name, type: ObjectIdentifier(Value.self), file: "\(file)", line: line) {
            let new = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
            new.initialize(to: Storage(name: name))
            return KeyTable.Address(UnsafeRawPointer(new))
        }
        storage = UnsafeMutableRawPointer(mutating: address.pointer).assumingMemoryBound(to: Storage.self)
    }

    /// The position of the property's cell in an object.
    @inline(__always)
    func cell(of object: NSManagedObject, accepting kinds: StorageKinds) -> Int {
        let place = storage.pointee.place.load(ordering: .relaxed)
        // Layout numbers of an entity and its subentities are contiguous and begin at 1, so one comparison tells the kind.
        if object.layoutNumber &- UInt32(truncatingIfNeeded: place >> 32) <= UInt32(truncatingIfNeeded: place >> 16) & 0xFFFF {
            return Int(place & 0xFFFF)
        }
        return resolve(in: object.layout, accepting: kinds)
    }

    @inline(never)
    private func resolve(in layout: EntityLayout, accepting kinds: StorageKinds) -> Int {
        guard let slot = layout.slot(named: name) else {
            programmingError(
                "The entity \(layout.name) is not key value coding-compliant for the key \"\(name)\".\(NearestNames.question(for: name, in: layout.properties.map(\.name)))",
                remedy: "Its properties are: \(layout.properties.map(\.name).sorted().joined(separator: ", ")).")
        }
        guard kinds.contains(slot.kind) else {
            programmingError(
                "The accessor of \(layout.name).\(name) has the type \(Value.self), which doesn't fit the attribute's type \(slot.kind).",
                remedy: "Give the accessor the attribute's type.")
        }
        var declaring = layout
        while let above = declaring.superlayout, above.position(of: name) != nil { declaring = above }
        if declaring.span <= 0xFFFF && slot.cell <= 0xFFFF {
            storage.pointee.place.store(UInt64(declaring.number) << 32 | UInt64(declaring.span) << 16 | UInt64(slot.cell), ordering: .relaxed)
        }
        return slot.cell
    }
}

/// The storages of all properties, one for each declaration, however often it is made.
private enum ManagedPropertyStorages {
    private struct Key: Hashable {
        let name: String
        let type: ObjectIdentifier
        let file: String
        let line: UInt
    }

    private static let known = Mutex<[Key: KeyTable.Address]>([:])

    static func address(name: String, type: ObjectIdentifier, file: String, line: UInt, make: () -> KeyTable.Address) -> KeyTable.Address {
        known.withLock { known in
            let key = Key(name: name, type: type, file: file, line: line)
            if let address = known[key] { return address }
            let address = make()
            known[key] = address
            return address
        }
    }
}

/// The kinds of values that an accessor of one type may have.
struct StorageKinds: OptionSet {
    let rawValue: UInt32

    @inline(__always) func contains(_ kind: StorageKind) -> Bool { rawValue & (1 << UInt32(kind.rawValue)) != 0 }

    private static func of(_ kinds: StorageKind...) -> StorageKinds {
        StorageKinds(rawValue: kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) })
    }

    static let integers = of(.integer16, .integer32, .integer64, .boolean)
    static let boolean = of(.boolean)
    static let real = of(.double, .float)
    static let date = of(.date)
    static let string = of(.string)
    static let decimal = of(.decimal)
    static let data = of(.data)
    static let uuid = of(.uuid)
    static let uri = of(.uri)
}
