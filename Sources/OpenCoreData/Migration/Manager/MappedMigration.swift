// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// One execution of a mapping model: its two stores, its policies and its three passes. Used on one thread, inside the
/// queues of both contexts.
final class MappedMigration {
    let mappingModel: NSMappingModel
    let source: MigrationStack
    let destination: MigrationStack
    var associations = MigrationAssociations()
    private(set) var currentMapping: NSEntityMapping?
    /// The relationships of an inferred mapping model; nil for another one.
    private(set) var inferredRelationships: InferredRelationships?
    private unowned let manager: NSMigrationManager
    private(set) var policies: [(mapping: NSEntityMapping, policy: NSEntityMigrationPolicy)] = []
    /// Whether the objects of both contexts stay registered until the end, and the new objects unsaved, as in Core
    /// Data.
    ///
    /// Then code of the program finds them, in whatever way it looks for them. A migration without such code saves from
    /// time to time and releases the saved objects, which needs less memory.
    private var keepsObjects = true
    /// The number of objects that a migration without code of the program makes, by entity. Such code may delete some.
    private(set) var expectedCounts: [String: Int] = [:]
    /// All objects of the new store that the migration has saved before its end.
    private var created: [ObjectReference] = []
    /// The mapper that has set the values of the last object.
    private var mapper: PropertyMapper?
    /// The pair of objects that the second pass is working on, so that a policy needs no look-up of the source.
    private var currentPair: (source: NSManagedObject, destination: NSManagedObject)?

    /// The objects that are made or changed together.
    private static let batchSize = 1000
    /// The same for objects with to-many relationships, whose members are in memory too.
    private static let ownerBatchSize = 50
    /// How many objects are read before the values of all source objects are released.
    private static let sweepInterval = 100_000
    private var readCount = 0

    // MARK: The whole migration

    /// Migrates a store.
    ///
    /// - Throws: the errors of ``NSMigrationManager/migrateStore(from:type:options:mapping:to:type:options:)``.
    static func run(
        _ manager: NSMigrationManager, from source: ClosedStore, _ mapping: NSMappingModel?,
        to destination: ClosedStore
    ) throws {
        guard let mapping else { throw MigrationErrors.invalidMapping("The mapping model is nil.") }
        try check(mapping, manager)
        guard source.exists else {
            throw MigrationErrors.store(
                NSMigrationManagerSourceStoreError, source,
                CoreDataErrors.cocoaError(
                    .fileReadNoSuchFile, message: "There is no store.", reason: "The file doesn\u{2019}t exist."))
        }
        if source.url.namesSameStore(as: destination.url) {
            throw MigrationErrors.store(
                NSMigrationManagerDestinationStoreError, destination,
                CoreDataErrors.cocoaError(
                    .fileWriteFileExists, message: "It is the old store.",
                    reason: "The old and the new store have the same URL."))
        }
        let isNew = !destination.exists
        do {
            let isDone =
                try isNew && manager.usesStoreSpecificMigrationManager
                && StoreSpecificMigration.run(manager, from: source, mapping, to: destination)
            if !isDone { try migrate(manager, from: source, mapping, to: destination, isNew: isNew) }
        } catch {
            if isNew { destination.remove() }
            throw error
        }
    }

    private static func migrate(
        _ manager: NSMigrationManager, from source: ClosedStore, _ mapping: NSMappingModel,
        to destination: ClosedStore, isNew: Bool
    ) throws {
        let old: MigrationStack
        do {
            old = try MigrationStack(source, model: manager.sourceModel, isReadOnly: true)
        } catch {
            throw MigrationErrors.store(NSMigrationManagerSourceStoreError, source, error)
        }
        defer { old.close() }
        let new: MigrationStack
        do {
            new = try MigrationStack(destination, model: manager.destinationModel, isReadOnly: false)
        } catch {
            throw MigrationErrors.store(NSMigrationManagerDestinationStoreError, destination, error)
        }
        defer { new.close() }
        let migration = MappedMigration(manager, mapping, old, new)
        manager.migration = migration
        defer { manager.migration = nil }
        try old.context.performSynchronously {
            try new.context.performSynchronously {
                try migration.run()
                if isNew { try migration.checkCounts() }
            }
        }
        if isNew { migration.copyMetadata() }
        try new.context.performSynchronously { try new.context.save() }
    }

    /// Checks that a mapping model is for the models of a manager.
    private static func check(_ model: NSMappingModel, _ manager: NSMigrationManager) throws {
        let old = manager.sourceModel.entityVersionHashesByName
        let new = manager.destinationModel.entityVersionHashesByName
        for mapping: NSEntityMapping in model.entityMappings {
            for (role, name, hash, hashes) in [
                ("source", mapping.sourceEntityName, mapping.sourceEntityVersionHash, old),
                ("destination", mapping.destinationEntityName, mapping.destinationEntityVersionHash, new),
            ] {
                guard let name else { continue }
                guard let expected = hashes[name] else {
                    throw MigrationErrors.invalidMapping(
                        """
                        \u{201c}\(mapping.name ?? "")\u{201d} has the \(role) entity \(name), which the \(role) model \
                        lacks.\(NearestNames.suggestion(for: name, in: Array(hashes.keys)))
                        """, [NSMigrationEntityMappingKey: mapping])
                }
                // A mapping that was made in code need not have hashes.
                guard let hash, hash != expected else { continue }
                throw MigrationErrors.invalidMapping(
                    """
                    \u{201c}\(mapping.name ?? "")\u{201d} was made for another version of the \(role) entity \(name).
                    """, [NSMigrationEntityMappingKey: mapping])
            }
        }
    }

    private init(
        _ manager: NSMigrationManager, _ mappingModel: NSMappingModel, _ source: MigrationStack,
        _ destination: MigrationStack
    ) {
        self.manager = manager
        self.mappingModel = mappingModel
        self.source = source
        self.destination = destination
    }

    private func run() throws {
        for mapping: NSEntityMapping in mappingModel.entityMappings {
            let policy = try MigrationPolicyClasses.makePolicy(for: mapping)
            policy.manager = manager
            policy.mapping = mapping
            policies.append((mapping, policy))
        }
        keepsObjects = ProgramCode.isCalled(by: manager, policies.map(\.policy), mappingModel)
        inferredRelationships = InferredRelationships(self)
        try checkSource()
        if keepsObjects { source.context.retainsRegisteredObjects = true }
        destination.context.saving.setValidates(false)
        try forEachMapping(pass: 0) { mapping, policy in
            try policy.begin(mapping, with: manager)
            try createInstances(mapping, policy)
            try policy.endInstanceCreation(forMapping: mapping, manager: manager)
            try finishPart()
        }
        try forEachMapping(pass: 1) { mapping, policy in
            try createRelationships(mapping, policy)
            try policy.endRelationshipCreation(forMapping: mapping, manager: manager)
            try finishPart()
        }
        try forEachMapping(pass: 2) { mapping, policy in
            try policy.performCustomValidation(forMapping: mapping, manager: manager)
        }
        try finishPart()
        try validate()
        for (mapping, policy) in policies {
            currentMapping = mapping
            try policy.end(mapping, manager: manager)
            try manager.checkFailures()
        }
        currentMapping = nil
        // From here on no code of the program looks for the old objects, and the save needs memory, too.
        mapper = nil
        associations = MigrationAssociations()
        source.context.reset()
        // The save itself validates the changes of the last method.
        destination.context.saving.setValidates(true)
        try save()
    }

    private func forEachMapping(
        pass: Int, _ body: (NSEntityMapping, NSEntityMigrationPolicy) throws -> Void
    ) throws {
        for (index, (mapping, policy)) in policies.enumerated() {
            currentMapping = mapping
            try manager.checkFailures()
            progressStart = Float(pass * policies.count + index) / Float(3 * policies.count)
            manager.report(progressStart)
            let work = ["Objects", "Relationships", "Validation"][pass]
            try MigrationLog.step("\(work) of \(mapping.name ?? "")") {
                try body(mapping, policy)
                try manager.checkFailures()
            }
        }
    }

    // MARK: Progress

    private var progressStart: Float = 0

    private func report(_ done: Int, of count: Int) {
        let part = Float(done) / Float(max(count, 1)) / Float(3 * max(policies.count, 1))
        manager.report(progressStart + part)
    }

    // MARK: Objects

    private func createInstances(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws {
        switch mapping.mappingType {
        case .addEntityMappingType, .removeEntityMappingType: return
        default: break
        }
        let references = try sourceObjects(mapping, policy)
        if !keepsObjects, let name = mapping.destinationEntityName {
            expectedCounts[name, default: 0] += references.count
        }
        for start in stride(from: 0, to: references.count, by: Self.batchSize) {
            let end = min(start + Self.batchSize, references.count)
            let objects = try source.load(references[start..<end])
            for object in objects {
                try policy.createDestinationInstances(forSource: object, in: mapping, manager: manager)
                try manager.checkFailures()
            }
            try finishPart(objects)
            report(end, of: references.count)
        }
    }

    /// The source objects of a mapping: the result of its source expression, or all objects of its source entity if it
    /// has none.
    private func sourceObjects(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws
        -> [ObjectReference]
    {
        guard let name = mapping.sourceEntityName else { return [] }
        let expression = mapping.sourceExpression ?? MappingExpressions.sourceObjects(ofEntity: name)
        let variables: [String: Any] = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping, NSMigrationEntityPolicyKey: policy,
        ]
        guard let fetch = expression as? NSFetchRequestExpression, !fetch.isCountOnlyRequest else {
            let value = expression.value(for: nil, bindings: variables)
            try manager.checkFailures()
            return NSMigrationManager.objects(value).map(\.reference)
        }
        let request = fetch.requestExpression.value(for: nil, bindings: variables)
        try manager.checkFailures()
        guard let request = request as? NSPersistentStoreRequest, request.fetchDescriptionStorage != nil else {
            throw MigrationErrors.invalidMapping(
                "The source expression of \u{201c}\(mapping.name ?? "")\u{201d} has no fetch request.",
                [NSMigrationEntityMappingKey: mapping])
        }
        return try source.fetchReferences(request)
    }

    // MARK: Relationships

    private func createRelationships(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws {
        let pairs = associations[mapping.name]
        let relationships = prefetchedRelationships(mapping)
        let size = relationships.destination.isEmpty ? Self.batchSize : Self.ownerBatchSize
        for start in stride(from: 0, to: pairs.count, by: size) {
            let range = start..<min(start + size, pairs.count)
            let sources = try source.load(pairs.sources[range])
            let destinations = range.map { pairs.destination($0, in: destination) }
            try destination.loadRows(of: destinations)
            for name in relationships.source { try Prefetch.read(name, of: sources, in: source.context) }
            for name in relationships.destination {
                try Prefetch.read(name, of: destinations, in: destination.context)
            }
            // A policy may have deleted what another one has made.
            for (source, object) in zip(sources, destinations)
            where !object.isDeleted && object.managedObjectContext != nil {
                currentPair = (source, object)
                try policy.createRelationships(forDestination: object, in: mapping, manager: manager)
                try manager.checkFailures()
            }
            currentPair = nil
            try finishPart(sources)
            report(range.upperBound, of: pairs.count)
        }
    }

    /// The to-many relationships that the expressions of a mapping read or set. They are read together for all objects
    /// of a batch.
    private func prefetchedRelationships(_ mapping: NSEntityMapping) -> (source: [String], destination: [String]) {
        let mapped = (mapping.relationshipMappings ?? []).filter { $0.valueExpression != nil }
        let texts = mapped.compactMap { $0.valueExpression?.description }
        func toMany(_ entity: NSEntityDescription?, _ isUsed: (String) -> Bool) -> [String] {
            (entity?.relationshipsByName ?? [:]).values.filter { $0.isToMany && isUsed($0.name) }.map(\.name).sorted()
        }
        return (
            toMany(manager.sourceEntity(for: mapping)) { name in texts.contains { $0.contains(name) } },
            toMany(manager.destinationEntity(for: mapping)) { name in mapped.contains { $0.name == name } }
        )
    }

    /// The mapper that sets the values of the objects that a policy makes or relates. A call with the arguments of the
    /// last call returns the same mapper.
    func mapper(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ layout: EntityLayout)
        -> PropertyMapper
    {
        if let mapper, mapper.mapping === mapping, mapper.policy === policy, mapper.layout === layout { return mapper }
        let new = PropertyMapper(mapping, policy, manager, self, layout: layout)
        mapper = new
        return new
    }

    /// The source object of a destination object.
    func source(of object: NSManagedObject, in mapping: NSEntityMapping) -> NSManagedObject? {
        if let currentPair, currentPair.destination === object { return currentPair.source }
        return associations.sources(of: [object], mapping: mapping.name).first.map(source.object)
    }

    // MARK: Parts of the work

    /// Ends a part of the work: releases the values of the source objects that it has read. Unless all objects stay
    /// until the end, it also saves the new objects, and new objects that nothing else retains leave the memory.
    private func finishPart(_ sources: [NSManagedObject] = []) throws {
        if keepsObjects {
            destination.context.processPendingChanges()
        } else {
            let saved = try save()
            destination.releaseRows(of: saved)
            associations.releaseSavedObjects()
        }
        source.context.processPendingChanges()
        source.releaseRows(of: sources)
        readCount += sources.count
        // Policies and expressions have read related objects, too.
        if sources.isEmpty || readCount > Self.sweepInterval {
            readCount = 0
            source.releaseRows(of: source.context.registry.objects)
        }
    }

    /// Saves the new objects.
    ///
    /// - Returns: the objects that were inserted or changed; none if they stay in memory.
    @discardableResult
    private func save() throws -> [NSManagedObject] {
        let context = destination.context
        guard context.hasChanges else { return [] }
        let inserted = keepsObjects ? [] : Array(context.unsavedChanges.inserted.objects)
        let changed = keepsObjects ? [] : inserted + context.unsavedChanges.updated.objects
        do {
            try context.save()
        } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
            throw constraintViolation(error)
        }
        created += inserted.lazy.filter { !$0.isDeleted }.map(\.reference)
        return changed
    }

    private func constraintViolation(_ error: NSError) -> NSError {
        let conflict = (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first
        let entity = conflict?.conflictingObjects.first?.entity.name ?? ""
        return CoreDataErrors.error(
            NSMigrationConstraintViolationError,
            "Objects of \(entity) violate a uniqueness constraint of the new model.",
            reason: CoreDataErrors.reason(of: error),
            suggestion: "Make the values of \(conflict?.constraint.joined(separator: ", ") ?? "") differ.",
            userInfo: ["entity": entity, NSUnderlyingErrorKey: error])
    }

    /// Validates all objects that the migration has made.
    private func validate() throws {
        // A policy may have saved objects: they are validated by their associations.
        let unsaved = Array(destination.context.unsavedChanges.inserted.objects) + associations.savedByPolicies
        for start in stride(from: 0, to: unsaved.count, by: Self.batchSize) {
            try validate(unsaved[start..<min(start + Self.batchSize, unsaved.count)])
        }
        for start in stride(from: 0, to: created.count, by: Self.batchSize) {
            let objects = try destination.load(created[start..<min(start + Self.batchSize, created.count)])
            try validate(objects[...])
        }
    }

    private func validate(_ objects: ArraySlice<NSManagedObject>) throws {
        var errors: [any Error] = []
        for object in objects where !object.isDeleted && object.managedObjectContext != nil {
            do { try object.validateForInsert() } catch { errors += ObjectValidation.single(error) }
        }
        try ObjectValidation.raise(errors)
        try manager.checkFailures()
    }

    /// Gives the new store the UUID of the old store, and the metadata that the program has set.
    private func copyMetadata() {
        let own: [String: Any] = destination.store.metadata ?? [:]
        let copied = (source.store.metadata ?? [:]).filter { !MigrationStack.isReserved($0.key) }
        var metadata = own.merging(copied) { own, _ in own }
        if let identifier = source.store.identifier { metadata[NSStoreUUIDKey] = identifier }
        destination.store.metadata = metadata
    }
}
