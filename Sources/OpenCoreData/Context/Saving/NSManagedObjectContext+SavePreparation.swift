// SPDX-License-Identifier: Apache-2.0

/// The first steps of a save: `willSave()`, deletion rules and validation.
extension NSManagedObjectContext {
    /// The number of rounds in which callbacks may make new changes, as in Core Data.
    private static let preparationLimit = 1000

    /// Calls `willSave()`, applies deletion rules and validates, until a round changes no object.
    ///
    /// Every changed object is called and validated once, and again each time that it has changed since.
    ///
    /// - Throws: validation errors, and the error of a deletion rule that can't read a relationship.
    final func prepareToSave() throws {
        // The changes that observers of NSManagedObjectContextWillSave have made.
        _ = try processRemainingChanges()
        // The objects that willSave() changes are called later.
        for objects in unsavedChanges.lists { callWillSave(objects) }
        try prepareRemainingChanges()
    }

    /// The same for the changes of a merge policy: calls `willSave()` of the objects that the policy has changed, and
    /// validates all changes again.
    ///
    /// - Throws: what `prepareToSave()` throws.
    final func prepareResolvedChanges() throws {
        callWillSave(try processRemainingChanges())
        try prepareRemainingChanges()
    }

    private func prepareRemainingChanges() throws {
        var unvalidated: ContiguousArray<NSManagedObject>?
        for _ in 0..<Self.preparationLimit {
            var changed = try processRemainingChanges()
            if changed.isEmpty {
                if let unvalidated { try validate(unvalidated) } else { try validateChanges() }
                if changeEvent.pending.isEmpty { return }
                changed = try processRemainingChanges()
                unvalidated = []
            }
            unvalidated?.append(contentsOf: changed)
            callWillSave(changed)
        }
        stopEndlessPreparation()
    }

    /// Calls `willSave()` of the classes that override it.
    private func callWillSave(_ objects: ContiguousArray<NSManagedObject>) {
        objects.forEachUnretained { _, object in
            if MethodOverrides.overridesWillSave(type(of: object)) && object.hasChanges { object.willSave() }
        }
    }

    /// Applies deletion rules and posts change notifications, until their observers make no more changes.
    ///
    /// - Returns: the objects that have changed during the rounds, each once.
    private func processRemainingChanges() throws -> ContiguousArray<NSManagedObject> {
        var changed: ContiguousArray<NSManagedObject> = []
        for round in 0..<Self.preparationLimit {
            // A deletion rule that can't read its relationship would leave orphans.
            if let failure = propagateDeletes() { throw failure }
            if changeEvent.pending.isEmpty {
                unregisterDeletedInsertions().forEach(breakRelationshipCycles)
                // The objects of one event are different ones.
                if round <= 1 { return changed }
                var seen: Set<ObjectIdentifier> = []
                return changed.filter { seen.insert(ObjectIdentifier($0)).inserted }
            }
            if changed.isEmpty { changed = changeEvent.pending } else { changed += changeEvent.pending }
            processChanges()
        }
        stopEndlessPreparation()
    }

    private func stopEndlessPreparation() -> Never {
        programmingError(
            """
            The context\(name.map { " '\($0)'" } ?? "") can't be saved: it still has new changes after \
            \(Self.preparationLimit) rounds, because willSave(), a validation method or an observer changes \
            objects each time.
            """,
            remedy:
                "Set a value there only if it differs from the present one, or set it by setPrimitiveValue(_:forKey:).")
    }

    // MARK: Validation

    /// Validates all changes. Deleted objects are validated by `validateForDelete()` alone.
    private func validateChanges() throws {
        let changes = unsavedChanges
        try validate(changes.deleted.objects, changes.inserted.objects, changes.updated.objects)
    }

    private func validate(_ lists: ContiguousArray<NSManagedObject>...) throws {
        guard saving.validates else { return }
        var errors: [any Error] = []
        for objects in lists {
            objects.forEachUnretained { _, object in
                do { try validate(object) } catch { errors += ObjectValidation.single(error) }
                guard saving.mayHaveDanglingReferences else { return }
                do { try ObjectValidation.validateDestinations(of: object) } catch {
                    errors += ObjectValidation.single(error)
                }
            }
        }
        try ObjectValidation.raise(errors)
        saving.removePossibleDanglingReferences()
    }

    private func validate(_ object: NSManagedObject) throws {
        let flags = object.flags
        if flags.contains(.detached) { return }
        if flags.contains(.deleted) {
            try object.validateForDelete()
        } else if flags.contains(.inserted) {
            try object.validateForInsert()
        } else if flags.contains(.updated) {
            try object.validateForUpdate()
        }
    }
}
