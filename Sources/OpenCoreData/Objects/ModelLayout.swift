import Synchronization

/// The layouts of all entities of one frozen model.
///
/// Ownership goes one way. The model owns its `ModelLayout`, which owns the `EntityLayout`s; their references back to
/// the model's layouts are unowned. Coordinators, identity tables (and with them all objects of contexts) and object
/// IDs keep the model. When the last of them is released, the model and its layouts are deallocated, and their layout
/// numbers are used again.
///
/// `of(_:)` makes the layouts under `creation`, and stores their addresses in the entities when all are complete, with
/// release semantics. `NSEntityDescription.entityLayout` loads such an address with acquire semantics, without a lock.
package final class ModelLayout: @unchecked Sendable {
    package unowned(unsafe) let managedObjectModel: NSManagedObjectModel
    package private(set) var layouts: [EntityLayout] = []
    package private(set) var byName: [String: EntityLayout] = [:]
    /// The number of the first layout.
    package let base: UInt32
    private let classes = Mutex<[ObjectIdentifier: EntityLayout]>([:])

    /// Guards the making of layouts, for all models.
    private static let creation = Mutex(())

    /// The layouts of `model`, made at the first call. Freezes the model.
    package static func of(_ model: NSManagedObjectModel) -> ModelLayout {
        creation.withLock { _ in
            if let existing = model.layouts { return unsafeDowncast(existing, to: ModelLayout.self) }
            precondition(
                Cells.hasExpectedLayout,
                "OpenCoreData doesn't support this Swift toolchain: the bytes of a nil String are not zero.")
            model.freeze()
            let new = ModelLayout(model)
            for layout in new.layouts { layout.entity.layoutAddress.store(layout.address, ordering: .releasing) }
            model.layouts = new
            return new
        }
    }

    private init(_ model: NSManagedObjectModel) {
        managedObjectModel = model
        base = LayoutNumbers.reserve(UInt32(model.entities.count))
        var next = base
        func visit(_ entity: NSEntityDescription, _ superlayout: EntityLayout?) {
            let number = next
            next += 1
            // The layouts of subentities need this one, so their number is counted before they are made.
            let layout = EntityLayout(
                entity: entity, model: self, number: number, span: Self.subentityCount(entity), superlayout: superlayout
            )
            layouts.append(layout)
            byName[layout.name] = layout
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

    deinit { LayoutNumbers.release(base, count: UInt32(layouts.count)) }

    private static func subentityCount(_ entity: NSEntityDescription) -> UInt32 {
        entity.subentities.reduce(0) { $0 + 1 + subentityCount($1) }
    }

    private static func ordered(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
        entities.sorted { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }
    }

    /// Makes the layouts those of objects that record keys; before any object is made.
    package func markAsRecording() {
        for layout in layouts { layout.markAsRecording() }
    }

    /// The layout of the first entity that names a class.
    package func layout(for type: NSManagedObject.Type) -> EntityLayout? {
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
    package subscript(number: UInt32) -> EntityLayout { layouts[Int(number &- base)] }

    package var retainedModel: RetainedModel { RetainedModel(model: managedObjectModel) }
}

/// A reference that keeps a frozen model, and with it the model's layouts. Sendable: a frozen model is immutable.
package struct RetainedModel: @unchecked Sendable {
    private let model: NSManagedObjectModel

    package init(model: NSManagedObjectModel) { self.model = model }
}

extension EntityLayout {
    fileprivate var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension NSEntityDescription {
    /// The entity's layout; made, and the model frozen, at the first use of the model.
    @inline(__always)
    package var entityLayout: EntityLayout {
        if let address = UnsafeRawPointer(bitPattern: layoutAddress.load(ordering: .acquiring)) {
            return Unmanaged<EntityLayout>.fromOpaque(address)._withUnsafeGuaranteedRef { $0 }
        }
        return makeLayout()
    }

    @inline(never)
    private func makeLayout() -> EntityLayout {
        guard let model = owningModel else {
            programmingError(
                "Entity '\(name ?? "")' belongs to no model.",
                remedy: """
                    Add it to the entities of an NSManagedObjectModel, and keep that model, before making objects of it.
                    """)
        }
        guard let layout = ModelLayout.of(model).layouts.first(where: { $0.entity === self }) else {
            programmingError(
                "Entity '\(name ?? "")' is not among its model's entities.",
                remedy: "Use the entity of the coordinator's model.")
        }
        return layout
    }
}

/// The layout numbers in use. A number is used again only when its model has been deallocated, and no
/// `ManagedProperty` remembers it.
package enum LayoutNumbers {
    private struct State {
        /// The first number that was never used. 0 means "no layout".
        var next: UInt32 = 1
        /// Released ranges, by their length: models of one schema, one for each tenant, have ranges of one length.
        var released: [UInt32: [UInt32]] = [:]
    }

    private static let state = Mutex(State())

    /// Reserves contiguous numbers.
    ///
    /// - Returns: the first of them.
    package static func reserve(_ count: UInt32) -> UInt32 {
        state.withLock { state in
            if let base = state.released[count]?.popLast() { return base }
            let base = state.next
            state.next += count
            return base
        }
    }

    package static func release(_ base: UInt32, count: UInt32) {
        guard count > 0 else { return }
        ManagedPropertyStorages.forgetLayouts(base..<(base + count))
        state.withLock { $0.released[count, default: []].append(base) }
    }
}

/// The models that coordinators use, newest last: a class finds its entity in them without a context.
///
/// The references are weak: a model is found as long as something else keeps it.
package enum KnownModels {
    private struct WeakModel: @unchecked Sendable { weak var model: NSManagedObjectModel? }

    private struct State: @unchecked Sendable {
        var models: [WeakModel] = []
        /// The count at which deallocated models and duplicates are removed, so that adding a model costs a constant
        /// time on average.
        var compactionCount = 16
    }

    private static let state = Mutex(State())

    package static func add(_ layouts: ModelLayout) {
        nonisolated(unsafe) let model = layouts.managedObjectModel
        state.withLock { state in
            if let last = state.models.last?.model, last === model { return }
            state.models.append(WeakModel(model: model))
            if state.models.count >= state.compactionCount { compact(&state) }
        }
    }

    private static func compact(_ state: inout State) {
        var seen: Set<ObjectIdentifier> = []
        let newestFirst = state.models.reversed().filter { entry in
            entry.model.map { seen.insert(ObjectIdentifier($0)).inserted } ?? false
        }
        state.models = newestFirst.reversed()
        state.compactionCount = max(16, state.models.count * 2)
    }

    /// The entity of a class in the newest model that has one, and that model, which keeps the entity's layout alive.
    package static func entity(naming type: NSManagedObject.Type)
        -> (entity: NSEntityDescription, model: NSManagedObjectModel)?
    {
        // The copy shares its storage with the list; weak references may be read on any thread.
        let models = state.withLock { state in state.models }
        for case let model? in models.reversed().lazy.map(\.model) {
            if let layout = ModelLayout.of(model).layout(for: type) { return (layout.entity, model) }
        }
        return nil
    }

    /// The entity of a class. If no model has one, that is logged, and the result is an entity without a name.
    package static func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let found = entity(naming: type) { return found.entity }
        CoreDataLog.error(
            """
            +[\(ManagedObjectClasses.name(of: type)) entity] Failed to find a match for the class to an \
            NSEntityDescription. Give the model to an NSPersistentStoreCoordinator first, keep it, and name the class \
            as the entity's managedObjectClassName.
            """)
        return NSEntityDescription()
    }
}
