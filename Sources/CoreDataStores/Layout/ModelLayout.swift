// SPDX-License-Identifier: Apache-2.0

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
@usableFromInline package final class ModelLayout: @unchecked Sendable {
    @usableFromInline package unowned(unsafe) let managedObjectModel: NSManagedObjectModel
    // Unchecked, as `byName`: only the initializer writes them, and each read of a row looks a layout up.
    @exclusivity(unchecked) @usableFromInline package private(set) var layouts: [EntityLayout] = []
    @exclusivity(unchecked) package private(set) var byName: [String: EntityLayout] = [:]
    /// The number of the first layout.
    @usableFromInline package let base: UInt32
    /// The numbers of all layouts.
    package var numbers: Range<UInt32> { base..<base + UInt32(layouts.count) }
    /// The layouts of classes, by the identifier of the class.
    private let layoutsOfClasses = Locked<[ObjectIdentifier: EntityLayout]>([:])

    /// Guards the making of layouts, for all models.
    private static let creation = Locked(())

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

    /// Marks all layouts as recording: their objects record which keys are read. Call it before the first object is
    /// made.
    package func markAsRecording() {
        for layout in layouts { layout.markAsRecording() }
    }

    /// The layout of a class. A block finds it at the first call.
    package func layout(of type: AnyClass, finding find: () -> EntityLayout?) -> EntityLayout? {
        layoutsOfClasses.withLock { layouts in
            if let known = layouts[ObjectIdentifier(type)] { return known }
            let found = find()
            layouts[ObjectIdentifier(type)] = found
            return found
        }
    }

    @inlinable @inline(__always)
    package subscript(number: UInt32) -> EntityLayout { layouts[Int(number &- base)] }

    package var retainedModel: RetainedModel { RetainedModel(model: managedObjectModel) }
}

/// A reference that keeps a frozen model, and with it the model's layouts. Sendable: a frozen model is immutable.
package struct RetainedModel: @unchecked Sendable {
    private let model: NSManagedObjectModel

    init(model: NSManagedObjectModel) { self.model = model }
}

extension EntityLayout {
    fileprivate var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension NSEntityDescription {
    /// The entity's layout; made, and the model frozen, at the first use of the model.
    @inlinable @inline(__always)
    package var entityLayout: EntityLayout {
        if let address = UnsafeRawPointer(bitPattern: layoutAddress.load(ordering: .acquiring)) {
            return Unmanaged<EntityLayout>.fromOpaque(address)._withUnsafeGuaranteedRef { $0 }
        }
        return makeLayout()
    }

    @inline(never)
    @usableFromInline func makeLayout() -> EntityLayout {
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

    private static let state = Locked(State())
    private static let observers = Locked<[@Sendable (Range<UInt32>) -> Void]>([])

    /// Calls a function with the numbers of each model that is deallocated, before they are used again.
    package static func onRelease(_ observer: @escaping @Sendable (Range<UInt32>) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Reserves contiguous numbers.
    ///
    /// - Returns: the first of them.
    static func reserve(_ count: UInt32) -> UInt32 {
        state.withLock { state in
            if let base = state.released[count]?.popLast() { return base }
            let base = state.next
            state.next += count
            return base
        }
    }

    static func release(_ base: UInt32, count: UInt32) {
        guard count > 0 else { return }
        for observer in observers.withLock({ $0 }) { observer(base..<(base + count)) }
        state.withLock { $0.released[count, default: []].append(base) }
    }
}
