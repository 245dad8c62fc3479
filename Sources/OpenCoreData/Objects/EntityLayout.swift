import Synchronization

/// The shape that objects, snapshots and stores share for one entity of a frozen model: which property lies in which
/// cell.
///
/// Inherited properties come first and have the same positions as in the superentity, so a position found for
/// an entity holds for all its subentities. Layout numbers are unique in the process; the numbers of an entity
/// and its subentities are contiguous. Immutable after `ModelLayout` has made it, hence Sendable.
final class EntityLayout: @unchecked Sendable {
    unowned(unsafe) let entity: NSEntityDescription
    /// All layouts of the model; they and the model live as long as any of them.
    let model: ModelLayout
    let number: UInt32
    /// The number of subentities below, to any depth: numbers `number...number + span` are of this kind.
    let span: UInt32
    /// Number of the root entity's layout.
    let root: UInt32
    let superlayout: EntityLayout?
    let properties: [PropertySlot]
    let cellCount: Int
    let linkCount: Int
    /// Kind and cell of each property, without reference counts. Never deallocated while the layout lives.
    let cellLocations: UnsafeMutablePointer<CellLocation>
    /// Cells whose bytes own memory.
    let stringCells: [Int]
    let objectCells: [Int]
    let relationshipProperties: [Int]
    let toOneProperties: [Int]
    let fetchedProperties: [Int]
    let hasTransientCells: Bool
    /// Whether some values may be objects of the program's, which other contexts must not share.
    let hasTransformables: Bool
    /// Attributes whose values are derived from others.
    let derivedProperties: [Int]
    /// Cells of a new object: its default values. Never deallocated while the layout lives.
    let defaultCells: Cells
    let hasDefaults: Bool
    /// The flags of an object that was just made: it has no values yet.
    let blankFlags: NSManagedObject.Flags = ConcurrencyDebug.isOn ? [.fault, .checksConcurrency] : .fault
    /// Cells of required scalar attributes without further rules, and the positions of all other properties with rules.
    let requiredScalarCells: [Int]
    let ruledProperties: [Int]
    /// Cells of integers that may be too large for their attributes.
    let narrowIntegers: [(cell: Int, range: ClosedRange<Int64>)]
    /// Cells of dates, which must be moments in time.
    let dateCells: [Int]
    /// Own and inherited ones.
    let uniquenessConstraints: [UniquenessConstraint]
    let name: String
    /// Whether objects report the keys that are asked for, instead of having values. Set before the layout is used.
    private(set) var isRecording = false
    let classBinding: ClassBinding
    private let positions: [String: Int]
    private let quickPositions: QuickKeyTable

    init(entity: NSEntityDescription, model: ModelLayout, number: UInt32, span: UInt32, superlayout: EntityLayout?) {
        self.entity = entity
        self.model = model
        self.number = number
        self.span = span
        self.superlayout = superlayout
        root = superlayout?.root ?? number
        name = entity.name ?? ""
        classBinding = ClassBinding(
            className: model.managedObjectModel.ignoresClassNames ? nil : entity.managedObjectClassName,
            entityName: entity.name ?? "",
            superbinding: superlayout?.classBinding)

        var properties: [PropertySlot] = superlayout?.properties ?? []
        var positions: [String: Int] = [:]
        for slot in properties { positions[slot.name] = slot.index }
        var cells = superlayout?.cellCount ?? 0
        var links = superlayout?.linkCount ?? 0
        let inherited = properties.count
        for property in entity.properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            let kind: StorageKind
            var defaultValue: Any?
            if let attribute = property as? NSAttributeDescription {
                kind = StorageKind(attribute.attributeType)
                defaultValue = attribute.defaultValue
            } else if let relationship = property as? NSRelationshipDescription {
                kind = relationship.isToMany ? .toMany : .toOne
            } else if property is NSFetchedPropertyDescription {
                kind = .fetched
            } else {
                continue
            }
            let composite = property as? NSCompositeAttributeDescription
            let earlier = positions[property.name].map { properties[$0] }
            if let earlier, earlier.index < inherited {
                // An inherited property keeps its place; a redeclaration may only refine it.
                let elements =
                    composite.map { CompositeElements($0, position: earlier.index, firstCell: earlier.cell).slots }
                    ?? []
                let isSame = elements.flatMap(\.leaves).map(\.kind) == earlier.elements.flatMap(\.leaves).map(\.kind)
                properties[earlier.index] = PropertySlot(
                    name: property.name, kind: earlier.kind == kind ? kind : earlier.kind, property: property,
                    index: earlier.index,
                    cell: earlier.cell, link: earlier.link,
                    defaultValue: composite.map { CompositeElements.defaultValue(of: $0) } ?? defaultValue,
                    elements: isSame ? elements : earlier.elements)
                continue
            }
            if let composite {
                let elements = CompositeElements(composite, position: properties.count, firstCell: cells)
                let slot = PropertySlot(
                    name: property.name, kind: .composite, property: property, index: properties.count, cell: cells,
                    link: -1,
                    defaultValue: CompositeElements.defaultValue(of: composite), elements: elements.slots)
                cells += elements.cellCount
                positions[property.name] = slot.index
                properties.append(slot)
                continue
            }
            let hasCell = kind.family != .none
            // What a fetched property has found, and a transformable value that was decoded, are kept as the objects of
            // a relationship are.
            let hasLink = kind == .toOne || kind == .toMany || kind == .fetched || kind == .transformable
            let slot = PropertySlot(
                name: property.name, kind: kind, property: property, index: properties.count,
                cell: hasCell ? cells : -1,
                link: hasLink ? links : -1, defaultValue: defaultValue)
            if hasCell { cells += 1 }
            if hasLink { links += 1 }
            positions[property.name] = slot.index
            properties.append(slot)
        }
        self.properties = properties
        cellLocations = .allocate(capacity: max(properties.count, 1))
        for slot in properties {
            (cellLocations + slot.index).initialize(to: CellLocation(kind: slot.kind, cell: slot.cell))
        }
        self.positions = positions
        quickPositions = QuickKeyTable(positions)
        cellCount = cells
        linkCount = links
        let leaves = properties.flatMap(\.leaves)
        stringCells = leaves.filter { $0.kind.family == .string }.map(\.cell)
        objectCells = leaves.filter { $0.kind.family == .object }.map(\.cell)
        relationshipProperties = properties.filter(\.isRelationship).map(\.index)
        toOneProperties = properties.filter { $0.kind == .toOne }.map(\.index)
        fetchedProperties = properties.filter { $0.kind == .fetched }.map(\.index)
        dateCells = leaves.filter { $0.kind == .date }.map(\.cell)
        narrowIntegers = leaves.compactMap { slot in slot.kind.integerRange.map { (slot.cell, $0) } }
        hasTransformables = leaves.contains { $0.kind == .transformable }
        hasTransientCells = properties.contains { $0.isTransient && $0.cell >= 0 }
        derivedProperties = properties.filter { $0.derivation != nil && !$0.isTransient }.map(\.index)
        let plain = properties.filter {
            $0.hasRules && $0.kind.family == .scalar && $0.property.validationPredicates.isEmpty
        }
        requiredScalarCells = plain.map(\.cell)
        ruledProperties = properties.filter { slot in slot.hasRules && !plain.contains { $0 === slot } }.map(\.index)

        uniquenessConstraints = UniquenessConstraint.all(
            of: entity, inherited: superlayout?.uniquenessConstraints ?? [], layout: number,
            root: superlayout?.root ?? number
        ) { name in positions[name].map { properties[$0] } }

        defaultCells = Cells.allocate(capacity: max(cells, 1))
        defaultCells.initialize(repeating: .empty, count: max(cells, 1))
        var hasDefaults = false
        for slot in properties where slot.defaultValue != nil && slot.cell >= 0 {
            slot.write(slot.defaultValue, to: defaultCells, entity: name)
            hasDefaults = true
        }
        self.hasDefaults = hasDefaults
    }

    deinit {
        destroy(defaultCells)
        defaultCells.deallocate()
        cellLocations.deallocate()
    }

    /// The position of a property, nil for an unknown key.
    @inline(__always)
    func position(of key: String) -> Int? {
        if let position = quickPositions[key] { return position }
        return positions[key]
    }

    func slot(named key: String) -> PropertySlot? {
        position(of: key).map { properties[$0] }
    }

    func isKind(of other: EntityLayout) -> Bool { number &- other.number <= other.span }

    /// Copies all cells, retaining what they own. `target` must be uninitialized memory.
    func copy(_ source: Cells, to target: Cells) {
        target.initialize(from: source, count: cellCount)
        // The bytes are there; initializing again adds the ownership.
        for cell in stringCells { target.string(cell).initialize(to: source.string(cell).pointee) }
        for cell in objectCells { target.object(cell).initialize(to: source.object(cell).pointee) }
    }

    /// Releases what the cells own. The memory is uninitialized afterwards.
    func destroy(_ cells: Cells) {
        for cell in stringCells { cells.string(cell).deinitialize(count: 1) }
        for cell in objectCells { cells.object(cell).deinitialize(count: 1) }
    }

    fileprivate func markAsRecording() { isRecording = true }

    fileprivate func setRelationship(_ index: Int, inverse: Int, destination: UInt32) {
        properties[index].inverse = inverse
        properties[index].destination = destination
    }
}

/// The layouts of all entities of one frozen model.
///
/// Layouts and their model live for ever once made: a model that was in use is small, and objects, IDs and rows may
/// outlive every stack that used it.
final class ModelLayout: @unchecked Sendable {
    let managedObjectModel: NSManagedObjectModel
    private let classes = Mutex<[ObjectIdentifier: EntityLayout]>([:])
    private(set) var layouts: [EntityLayout] = []
    let base: UInt32
    private(set) var byName: [String: EntityLayout] = [:]

    /// The layouts of `model`, made at its first use; freezes the model.
    static func of(_ model: NSManagedObjectModel) -> ModelLayout {
        LayoutNumbers.lock.withLock { next in
            model.freeze()
            if let existing = model.entities.first?.layout as? EntityLayout { return existing.model }
            let layout = ModelLayout(model, base: next)
            next += UInt32(layout.layouts.count)
            return layout
        }
    }

    private init(_ model: NSManagedObjectModel, base: UInt32) {
        managedObjectModel = model
        self.base = base
        var next = base
        func visit(_ entity: NSEntityDescription, _ superlayout: EntityLayout?) {
            let number = next
            next += 1
            // The span is known only after the visit of the subentities, whose layouts need this one: count first.
            let layout = EntityLayout(
                entity: entity, model: self, number: number, span: Self.descendants(entity), superlayout: superlayout)
            layouts.append(layout)
            byName[layout.name] = layout
            entity.layout = layout
            for subentity in Self.ordered(entity.subentities) { visit(subentity, layout) }
        }
        for entity in Self.ordered(model.entities) where entity.superentity == nil { visit(entity, nil) }
        for layout in layouts {
            for index in layout.relationshipProperties {
                guard let relationship = layout.properties[index].relationship,
                    let destination = relationship.destinationEntity.flatMap({ byName[$0.name ?? ""] })
                else { continue }
                let inverse = relationship.inverseRelationship.flatMap { destination.position(of: $0.name) } ?? -1
                layout.setRelationship(index, inverse: inverse, destination: destination.number)
            }
        }
    }

    private static func descendants(_ entity: NSEntityDescription) -> UInt32 {
        entity.subentities.reduce(0) { $0 + 1 + descendants($1) }
    }

    private static func ordered(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        entities.sorted { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }
    }

    /// Makes the layouts those of objects that record keys; before any object is made.
    func markAsRecording() {
        for layout in layouts { layout.markAsRecording() }
    }

    /// The layout of the one entity that a class represents.
    func layout(for type: NSManagedObject.Type) -> EntityLayout? {
        classes.withLock { classes in
            if let known = classes[ObjectIdentifier(type)] { return known }
            ManagedObjectClasses.register(type)
            let found = layouts.first { $0.classBinding.names(type) }
            if let found {
                classes[ObjectIdentifier(type)] = found
                found.classBinding.prefer(type)
            }
            return found
        }
    }

    @inline(__always)
    subscript(number: UInt32) -> EntityLayout { layouts[Int(number &- base)] }
}

extension NSEntityDescription {
    /// The entity's layout; the model must have been frozen by `ModelLayout.of`.
    @inline(__always)
    var entityLayout: EntityLayout {
        if let layout { return unsafeDowncast(layout, to: EntityLayout.self) }
        return makeLayout()
    }

    @inline(never)
    private func makeLayout() -> EntityLayout {
        guard let model = owningModel else {
            programmingError(
                "Entity '\(name ?? "")' belongs to no model.",
                remedy: "Add it to an NSManagedObjectModel's entities before making objects of it.")
        }
        _ = ModelLayout.of(model)
        guard let layout else {
            programmingError(
                "Entity '\(name ?? "")' is not among its model's entities.",
                remedy: "Use the entity of the coordinator's model.")
        }
        return unsafeDowncast(layout, to: EntityLayout.self)
    }
}
