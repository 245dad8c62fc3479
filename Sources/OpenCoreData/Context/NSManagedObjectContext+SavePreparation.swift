/// What comes before the stores are asked to write: objects are told, and everything that this changes is followed.
extension NSManagedObjectContext {
    /// How often changes that come up while a save is prepared are followed, as in Core Data.
    private static let preparationLimit = 1000

    /// Calls `willSave()`, follows deletions and validates until nothing changes any more because of it.
    ///
    /// Every changed object is told and validated once, and again each time that it was changed since.
    final func prepareForWriting() throws {
        // The changes of those who observe the notification are no changes of willSave().
        _ = try followChanges()
        var told = [inserted.objects, updated.objects, deleted.objects]
        var unvalidated: [NSManagedObject]?
        for _ in 0..<Self.preparationLimit {
            tellWillSave(told)
            var changed = try followChanges()
            if changed.isEmpty {
                if let unvalidated { try validate(unvalidated) } else { try validateChanges() }
                if pending.isEmpty { return }
                changed = try followChanges()
                unvalidated = []
            }
            unvalidated?.append(contentsOf: changed)
            told = [ContiguousArray(changed)]
        }
        neverSettles()
    }

    /// Classes that don't override the method have nothing to be told.
    private func tellWillSave(_ lists: [ContiguousArray<NSManagedObject>]) {
        for objects in lists {
            for object in objects where MethodOverrides.overridesWillSave(type(of: object)) && object.hasChanges {
                object.willSave()
            }
        }
    }

    /// Follows deletions and has change notifications posted until their observers change nothing any more.
    ///
    /// - Returns: the objects that were changed meanwhile, each once.
    private func followChanges() throws -> [NSManagedObject] {
        var changed: [NSManagedObject] = []
        for _ in 0..<Self.preparationLimit {
            // Deleting what can be reached only would leave orphans.
            if let failure = propagateDeletes() { throw failure }
            if pending.isEmpty {
                forgetDeletedInsertions().forEach(breakRelationshipCycles)
                var seen: Set<ObjectIdentifier> = []
                return changed.filter { seen.insert(ObjectIdentifier($0)).inserted }
            }
            changed += pending
            processChanges()
        }
        neverSettles()
    }

    private func neverSettles() -> Never {
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

    /// Validates all changes. Objects that are to be deleted are asked for that alone.
    final func validateChanges() throws { try validate(deleted.objects, inserted.objects, updated.objects) }

    private func validate(_ objects: [NSManagedObject]) throws { try validate(ContiguousArray(objects)) }

    private func validate(_ lists: ContiguousArray<NSManagedObject>...) throws {
        var errors: [NSError] = []
        for objects in lists {
            for object in objects {
                do { try validate(object) } catch { errors += ObjectValidation.single(error as NSError) }
                guard mayHaveDanglingReferences else { continue }
                do { try ObjectValidation.validateDestinations(of: object) } catch {
                    errors += ObjectValidation.single(error as NSError)
                }
            }
        }
        try ObjectValidation.raise(errors)
        mayHaveDanglingReferences = false
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
