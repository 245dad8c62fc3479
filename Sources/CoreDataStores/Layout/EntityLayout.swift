// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The layout of one entity of a frozen model: the cell of each property. Objects, snapshots and stores share it.
///
/// Inherited properties come first and have the same positions as in the superentity. A position that is found for an
/// entity is therefore valid for all its subentities. The layout numbers of living models are unique in the process;
/// the numbers of an entity and its subentities are contiguous. Immutable once `ModelLayout` has published it, hence
/// Sendable.
@usableFromInline package final class EntityLayout: @unchecked Sendable {
    package let entity: NSEntityDescription
    /// The layouts of all entities of the model. The model owns it, and it owns this layout: code that keeps a
    /// layout and uses `model` keeps the model too. See `ModelLayout`.
    @usableFromInline package unowned(unsafe) let model: ModelLayout
    @usableFromInline package let number: UInt32
    /// The number of subentities, to any depth: the numbers `number...number + span` belong to the entity and its
    /// subentities.
    @usableFromInline package let span: UInt32
    /// The number of the root entity's layout.
    package let root: UInt32
    package let superlayout: EntityLayout?
    package let properties: [PropertySlot]
    /// The size of the cells of an object.
    @usableFromInline package let wordCount: Int
    package let linkCount: Int
    /// The kind and the cell of each property, in plain memory: reading them touches no reference count.
    package let cellLocations: UnsafeMutablePointer<CellLocation>
    /// Cells whose bytes own memory.
    let stringCells: [Int]
    let objectCells: [Int]
    package let relationshipProperties: [Int]
    package let toOneProperties: [Int]
    package let toManyProperties: [Int]
    /// The relationships that forbid to delete their owner while they aren't empty.
    package let denyingProperties: [Int]
    package let fetchedProperties: [Int]
    package let hasTransientCells: Bool
    /// Whether some values may be objects of the program, which contexts must not share.
    package let hasTransformables: Bool
    /// The transformable attributes that stores have, also as elements of composite attributes.
    package let storedTransformables: [PropertySlot]
    /// Derived attributes.
    package let derivedProperties: [Int]
    /// The cells of a new object: its default values.
    package let defaultCells: Cells
    package let hasDefaults: Bool
    /// The cells of required scalar attributes without further rules.
    package let requiredScalarCells: [Int]
    /// The positions of all other properties with rules.
    package let ruledProperties: [Int]
    /// Cells of integers that may be too large for their attributes.
    package let narrowIntegers: [(cell: Int, range: ClosedRange<Int64>)]
    /// Cells of dates, which must be moments in time.
    package let dateCells: [Int]
    /// Cells of required real numbers, which must be numbers.
    package let requiredRealCells: [Int]
    /// The constraints of the entity and of its superentities.
    package let uniquenessConstraints: [UniquenessConstraint]
    package let name: String
    package let isAbstract: Bool
    /// Whether the entity's objects record which keys are read, instead of having values. Set before the layout is
    /// used.
    @exclusivity(unchecked) package private(set) var isRecording = false
    /// Whether a class declares accessors with the name of a property: key-value coding asks the class first.
    package let hasAccessors = Atomic<Bool>(false)
    /// Whether each access to an object checks its queue.
    package let checksConcurrency = LaunchSetting.checksConcurrency
    /// The address of the data that the layer of managed objects keeps for the entity; 0 before its first use.
    @usableFromInline let attachedAddress = Atomic<UInt>(0)
    @usableFromInline let positions: [String: Int]
    @usableFromInline let quickPositions: QuickKeyTable

    init(
        entity: NSEntityDescription, model: ModelLayout, number: UInt32, span: UInt32, superlayout: EntityLayout?
    ) {
        self.entity = entity
        self.model = model
        self.number = number
        self.span = span
        self.superlayout = superlayout
        root = superlayout?.root ?? number
        name = entity.name ?? ""
        isAbstract = entity.isAbstract

        let assignment = SlotAssignment(entity, after: superlayout)
        let (properties, positions) = (assignment.slots, assignment.positions)
        self.properties = properties
        self.positions = positions
        quickPositions = QuickKeyTable(positions)
        wordCount = assignment.wordCount
        linkCount = assignment.linkCount
        cellLocations = .allocate(capacity: max(properties.count, 1))
        for slot in properties {
            (cellLocations + slot.index).initialize(to: CellLocation(kind: slot.kind, cell: slot.cell))
        }
        let leaves = properties.flatMap(\.leaves)
        stringCells = leaves.filter { $0.kind.family == .string }.map(\.cell)
        objectCells = leaves.filter { $0.kind.family == .object }.map(\.cell)
        relationshipProperties = properties.filter(\.isRelationship).map(\.index)
        toOneProperties = properties.filter { $0.kind == .toOne }.map(\.index)
        toManyProperties = properties.filter { $0.kind == .toMany }.map(\.index)
        denyingProperties = properties.filter { $0.isRelationship && $0.deleteRule == .denyDeleteRule }.map(\.index)
        fetchedProperties = properties.filter { $0.kind == .fetched }.map(\.index)
        dateCells = leaves.filter { $0.kind == .date }.map(\.cell)
        requiredRealCells = leaves.filter { !$0.isOptional && ($0.kind == .double || $0.kind == .float) }.map(\.cell)
        narrowIntegers = leaves.compactMap { slot in slot.kind.integerRange.map { (slot.cell, $0) } }
        hasTransformables = leaves.contains { $0.kind == .transformable }
        storedTransformables = properties.filter { !$0.isTransient }.flatMap(\.leaves).filter {
            $0.kind == .transformable
        }
        hasTransientCells = properties.contains { $0.isTransient && $0.cell >= 0 }
        derivedProperties = properties.filter { $0.derivation != nil && !$0.isTransient }.map(\.index)
        let requiredScalars = properties.filter {
            $0.hasRules && $0.kind.family == .scalar && $0.property.validationPredicates.isEmpty
        }
        requiredScalarCells = requiredScalars.map(\.cell)
        ruledProperties = properties.filter { slot in
            slot.hasRules && !requiredScalars.contains { $0 === slot }
        }.map(\.index)

        uniquenessConstraints = UniquenessConstraint.all(
            of: entity, inherited: superlayout?.uniquenessConstraints ?? [], layout: number,
            root: superlayout?.root ?? number
        ) { name in positions[name].map { properties[$0] } }

        defaultCells = Cells.allocate(wordCount: wordCount)
        defaultCells.initializeEmpty(wordCount: wordCount)
        var hasDefaults = false
        for slot in properties where slot.defaultValue != nil && slot.cell >= 0 {
            slot.write(slot.defaultValue, to: defaultCells, entity: name)
            hasDefaults = true
        }
        self.hasDefaults = hasDefaults
    }

    deinit {
        if let address = UnsafeRawPointer(bitPattern: attachedAddress.load(ordering: .acquiring)) {
            Unmanaged<AnyObject>.fromOpaque(address).release()
        }
        destroy(defaultCells)
        defaultCells.deallocate()
        cellLocations.deallocate()
        quickPositions.deallocate()
    }

    /// Sets the transient values in the cells of a row to their defaults, as in a new object: no row stores them.
    package func resetTransientValues(_ cells: Cells) {
        guard hasTransientCells else { return }
        for slot in properties where slot.isTransient && slot.cell >= 0 { slot.copy(from: defaultCells, to: cells) }
    }

    /// The position of a property, nil for an unknown key.
    @inlinable @inline(__always)
    package func position(of key: String) -> Int? {
        if let position = quickPositions[key] { return position }
        return positions[key]
    }

    package func slot(named key: String) -> PropertySlot? {
        position(of: key).map { properties[$0] }
    }

    @inlinable package func isKind(of other: EntityLayout) -> Bool { other.contains(number) }

    /// Whether a number belongs to this layout or to the layout of a subentity. Layouts of other models have other
    /// numbers.
    @inlinable @inline(__always)
    package func contains(_ other: UInt32) -> Bool { other &- number <= span }

    /// Copies all cells and retains their strings and objects. `target` must be uninitialized memory.
    package func copy(_ source: Cells, to target: Cells) {
        target.initialize(from: source, wordCount: wordCount)
        // The bytes are there; initializing again adds the ownership.
        for cell in stringCells { target.string(cell).initialize(to: source.string(cell).pointee) }
        for cell in objectCells { target.object(cell).initialize(to: source.object(cell).pointee) }
    }

    /// Releases the strings and objects of the cells. The memory is uninitialized afterwards.
    package func destroy(_ cells: Cells) {
        for cell in stringCells { cells.string(cell).deinitialize(count: 1) }
        for cell in objectCells { cells.object(cell).deinitialize(count: 1) }
    }

    /// The object that the floor of objects keeps for the entity, made at its first use; always of one class.
    @inlinable @inline(__always)
    package func attached<Object: AnyObject>(_ make: () -> Object) -> Object {
        if let address = UnsafeRawPointer(bitPattern: attachedAddress.load(ordering: .acquiring)) {
            return Unmanaged<Object>.fromOpaque(address)._withUnsafeGuaranteedRef { $0 }
        }
        return attach(make())
    }

    /// Keeps the object that the first of several threads has made.
    @inline(never)
    @usableFromInline func attach<Object: AnyObject>(_ object: Object) -> Object {
        let new = Unmanaged.passRetained(object)
        let result = attachedAddress.compareExchange(
            expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
        guard !result.exchanged, let address = UnsafeRawPointer(bitPattern: result.original) else { return object }
        new.release()
        return Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
    }

    /// Called by `ModelLayout` alone.
    func markAsRecording() { isRecording = true }

    /// Connects a relationship with its inverse. Called by `ModelLayout` alone, before the layout is published.
    func setRelationship(_ index: Int, inverse: Int, destination: UInt32) {
        properties[index].inverse = inverse
        properties[index].destination = destination
    }
}
