// SPDX-License-Identifier: Apache-2.0

/// The execution of batch requests in a context. The requests don't see the unsaved changes of the context.
extension NSManagedObjectContext {
    /// The layout of an entity that a batch request names.
    fileprivate final func batchLayout(_ name: String) throws -> EntityLayout {
        let layouts = try requireCoordinator().layouts
        if let layout = layouts.byName[name] { return layout }
        programmingError(
            """
            A batch request could not locate an NSEntityDescription for entity name \
            '\(name)'.\(NearestNames.suggestion(for: name, in: layouts.byName.keys))
            """,
            remedy: "The model has: \(layouts.byName.keys.sorted().joined(separator: ", ")).")
    }

    /// The IDs of the rows that a request has changed.
    fileprivate final func objectIDs(
        _ results: [(store: StoreIdentity, log: BatchRowLog)], _ layouts: ModelLayout
    ) -> [NSManagedObjectID] {
        results.flatMap { result in
            result.log.references.map {
                NSManagedObjectID(layout: layouts[$0.layout], store: result.store, key: $0.key)
            }
        }
    }

    fileprivate static func count(
        _ results: [(store: StoreIdentity, log: BatchRowLog)], _ programs: IncrementalBatch?
    ) -> NSNumber {
        NSNumber(value: results.reduce(programs?.count ?? 0) { $0 + $1.log.count })
    }
}

extension NSBatchDeleteRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        var results: [(store: StoreIdentity, log: BatchRowLog)] = []
        var programs: IncrementalBatch?
        if var description = fetchDescription(in: coordinator.layouts) {
            description.resultType = .managedObjectIDResultType
            description.propertiesToFetch = nil
            let query = try context.fetchPlan(description, affectedStores: affectedStores).query
            let batch = try IncrementalBatch(
                self, to: coordinator.stores(for: query.layout, among: affectedStores), with: context)
            programs = batch
            let deletion = BatchDeletion(query: query, wantsReferences: resultType == .resultTypeObjectIDs)
            let parts = try batch.otherStores.map { try coordinator.batchPart($0) { _ in .delete(deletion) } }
            results = try coordinator.execute(parts, origin: context.changeOrigin)
        }
        let result: Any =
            switch resultType {
            case .resultTypeStatusOnly: NSNumber(value: programs?.isSuccessful ?? true)
            case .resultTypeObjectIDs:
                (programs?.objectIDs ?? []) + context.objectIDs(results, coordinator.layouts)
            case .resultTypeCount: NSManagedObjectContext.count(results, programs)
            }
        return NSBatchDeleteResult(result, resultType)
    }
}

extension NSBatchUpdateRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        let layout = try context.batchLayout(entityName)
        resolveEntity(layout.entity)
        var description = FetchDescription()
        description.entityNameStorage = entityName
        description.predicate = predicate
        description.includesSubentities = includesSubentities
        description.resultType = .managedObjectIDResultType
        let query = try context.fetchPlan(description, affectedStores: affectedStores).query
        let programs = try IncrementalBatch(
            self, to: coordinator.stores(for: layout, among: affectedStores), with: context)
        let parts = try programs.otherStores.map { store in
            try coordinator.batchPart(store) { .update(try update(query, layout, $0)) }
        }
        let results = try coordinator.execute(parts, origin: context.changeOrigin)
        let result: Any =
            switch resultType {
            case .statusOnlyResultType: NSNumber(value: programs.isSuccessful)
            case .updatedObjectIDsResultType: programs.objectIDs + context.objectIDs(results, coordinator.layouts)
            case .updatedObjectsCountResultType: NSManagedObjectContext.count(results, programs)
            }
        return NSBatchUpdateResult(result, resultType)
    }

    private func update(_ query: StoreQuery, _ layout: EntityLayout, _ store: StoreIdentity) throws -> BatchUpdate {
        guard let propertiesToUpdate, !propertiesToUpdate.isEmpty else {
            throw CoreDataErrors.error(
                NSCoreDataError, "The batch update of entity \(layout.name) can\u{2019}t be executed.",
                reason: "It sets no properties.", suggestion: "Set its propertiesToUpdate.")
        }
        let writer = BatchValueWriter(layout: layout, store: store)
        let constants = BatchCells(layout)
        var assignments: [(slot: PropertySlot, value: BatchUpdate.Value)] = []
        for (key, value) in propertiesToUpdate {
            let name = key.base as? String ?? (key.base as? NSPropertyDescription)?.name ?? "\(key.base)"
            let slot = try writer.slot(name)
            if let expression = value as? NSExpression, expression.expressionType != .constantValue {
                try writer.checkIsSettable(slot)
                try FetchPlan.check(levels: expression.levelCount, "expression of \(name)", layout.name)
                assignments.append((slot, .expression(PredicateObjects.replacingObjects(expression))))
            } else {
                let constant = (value as? NSExpression).map { $0.constantValue ?? NSNull() } ?? value
                try writer.write(constant, slot, constants.cells)
                assignments.append((slot, .constant))
            }
        }
        return BatchUpdate(
            query: query, assignments: assignments.sorted { $0.slot.index < $1.slot.index }, constants: constants,
            wantsReferences: resultType == .updatedObjectIDsResultType)
    }
}

extension NSBatchInsertRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let coordinator = try context.requireCoordinator()
        let layout = try context.batchLayout(entityName)
        resolveEntity(layout.entity)
        guard !layout.isAbstract else {
            throw CoreDataErrors.error(
                NSCoreDataError, "The batch insert of entity \(layout.name) can\u{2019}t be executed.",
                reason: "The entity is abstract.", suggestion: "Insert objects of a subentity.")
        }
        let target = try coordinator.storeForBatchInserting(layout, among: affectedStores)
        let programs = try IncrementalBatch(self, to: [target], with: context)
        let parts = try programs.otherStores.map { store in
            try coordinator.batchPart(store) { identity in
                .insert(
                    BatchInsertion(
                        layout: layout, rows: rows(BatchValueWriter(layout: layout, store: identity)),
                        conflict: Self.conflict(context.saving.mergePolicy.mergeType),
                        wantsReferences: resultType == .objectIDs))
            }
        }
        let results = try coordinator.execute(parts, origin: context.changeOrigin)
        let result: Any =
            switch resultType {
            case .statusOnly: NSNumber(value: programs.isSuccessful)
            case .objectIDs: programs.objectIDs + context.objectIDs(results, coordinator.layouts)
            case .count: NSManagedObjectContext.count(results, programs)
            }
        return NSBatchInsertResult(result, resultType)
    }

    private func rows(_ writer: BatchValueWriter) -> any BatchRowSource {
        if let managedObjectHandler { return ObjectHandlerRows(managedObjectHandler, writer) }
        if let dictionaryHandler { return DictionaryHandlerRows(dictionaryHandler, writer) }
        return DictionaryRows(objectsToInsert ?? [], writer)
    }

    private static func conflict(_ type: NSMergePolicyType) -> BatchInsertion.Conflict {
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType: .updateGiven
        case .overwriteMergePolicyType: .updateAll
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keepStored
        default: .fail
        }
    }
}
