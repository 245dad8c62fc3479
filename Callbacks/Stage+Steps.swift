import OpenCoreData

/// The steps of each case's script, in their order.
enum Step: CaseIterable {
    case read, write, setMembers, changeList, otherSide, undo, redo, save, refreshed, conflict, delete, saveDeletion
    case missing, insert, batch, prefetch, validate, rollback, child, last
}

extension Stage {
    /// Runs one step. Errors are no failures: an action may have made what the step does impossible.
    func run(_ step: Step) {
        switch step {
        case .read:
            read(usableOwner())
            usableItems(3).forEach(read)
            _ = usableOwner().value(forKey: "strange")
            usableOwner().setValue(1, forKey: "strange")
        case .write:
            context.refreshAllObjects()
            fill(usableOwner(), "written")
            for item in usableItems(2) { item.setValue(Stage.text + "item", forKey: "text") }
            context.processPendingChanges()
        case .setMembers:
            try? context.save()
            context.refreshAllObjects()
            setMembers(Array(usableItems(4).suffix(3)))
            setMembers([])
            setMembers(usableItems(3))
        case .changeList: changeList()
        case .otherSide:
            context.refreshAllObjects()
            guard value.relationship.hasInverse, let item = usableItems(1).first else { return }
            let owner = usableOwner()
            if Stage.objects(item.value(forKey: "back")).contains(owner) { setMembers([]) }
            if isUsable(item) { setBack(item, usableOwner()) }
            if isUsable(item) { setBack(item, nil) }
        case .undo:
            context.processPendingChanges()
            fill(usableOwner(), "to be undone")
            context.processPendingChanges()
            context.undo()
            context.undo()
        case .redo: context.redo()
        case .save:
            fill(usableOwner(), "saved")
            try? context.save()
        case .refreshed:
            fill(usableOwner(), "refreshed")
            changeElsewhere()
            context.refresh(usableOwner(), mergeChanges: true)
            _ = usableOwner().changedValues()
        case .conflict:
            read(usableOwner())
            changeElsewhere()
            fill(usableOwner(), "in conflict")
            try? context.save()
        case .delete:
            usableItems(1).forEach(context.delete)
            context.processPendingChanges()
            context.undo()
            context.delete(usableOwner())
        case .saveDeletion: try? context.save()
        case .missing:
            setMembers(usableItems(2))
            try? context.save()
            let items = usableItems(2)
            context.refreshAllObjects()
            deleteElsewhere(items.first)
            items.filter(isUsable).forEach(read)
            try? context.save()
        case .insert:
            for _ in 0..<3 { make("Item") }
            setMembers(usableItems(3))
            try? context.save()
        case .batch: fetchBatch()
        case .prefetch:
            let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
            request.relationshipKeyPathsForPrefetching = ["rel"]
            request.returnsObjectsAsFaults = false
            context.refreshAllObjects()
            ((try? context.fetch(request)) ?? []).forEach(read)
        case .validate:
            try? usableOwner().validateForUpdate()
            try? usableOwner().validateForInsert()
            try? usableOwner().validateForDelete()
        case .rollback:
            fill(usableOwner(), "rolled back")
            setMembers([])
            context.rollback()
        case .child: saveChild()
        case .last:
            fill(usableOwner(), "last")
            try? context.save()
        }
    }

    private func read(_ object: NSManagedObject) {
        guard object.managedObjectContext != nil else { return }
        for key in ["name", "text", "thing", "end"] { _ = object.value(forKey: key) }
        for member in Stage.objects(object.value(forKey: object.entity.name == "Owner" ? "rel" : "back")) {
            _ = member.value(forKey: "text")
        }
    }

    private func setBack(_ item: NSManagedObject, _ owner: NSManagedObject?) {
        switch value.relationship {
        case .orderedManyToMany: item.setValue(NSOrderedSet(array: owner.map { [$0] } ?? []), forKey: "back")
        case .manyToOne, .manyToMany: item.setValue(NSSet(array: owner.map { [$0] } ?? []), forKey: "back")
        default: item.setValue(owner, forKey: "back")
        }
    }

    /// Changes a to-many relationship through the sets that programs keep.
    private func changeList() {
        if value.relationship.isToOne { return }
        setMembers(usableItems(4))
        try? context.save()
        context.refreshAllObjects()
        let new = make("Item")
        guard value.relationship.isOrdered else {
            let set = usableOwner().mutableSetValue(forKey: "rel")
            if isUsable(new) { set.add(new) }
            if let any = set.anyObject() { set.remove(any) }
            set.removeAllObjects()
            usableItems(2).forEach(set.add)
            return
        }
        let list = usableOwner().mutableOrderedSetValue(forKey: "rel")
        if isUsable(new) { list.insert(new, at: 0) }
        if list.count > 1 { list.moveObjects(at: IndexSet(integer: list.count - 1), to: 0) }
        if list.count > 1 { list.exchangeObject(at: 0, withObjectAt: list.count - 1) }
        if list.count > 0 { list.removeObject(at: 0) }
        context.refreshAllObjects()
        let other = make("Item")
        if list.count > 1, isUsable(other) { list.replaceObject(at: 1, with: other) }
        list.sort { first, second in
            Trigger.current?.call(.comparator, first as? NSManagedObject)
            let (left, right) = (first as? NSManagedObject, second as? NSManagedObject)
            return (left?.value(forKey: "name") as? String ?? "").compare(right?.value(forKey: "name") as? String ?? "")
        }
        list.removeAllObjects()
        for item in usableItems(2) { list.add(item) }
    }

    private func fetchBatch() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 2
        request.returnsObjectsAsFaults = false
        context.refreshAllObjects()
        ((try? context.fetch(request)) ?? []).forEach(read)
        request.predicate = NSPredicate(format: "name BEGINSWITH 'I'")
        fill(usableItems(1)[0], "I")
        ((try? context.fetch(request)) ?? []).forEach(read)
    }

    private func inOtherContext(_ body: (NSManagedObjectContext) throws -> Void) {
        let wasArmed = trigger.isArmed
        trigger.isArmed = false
        defer { trigger.isArmed = wasArmed }
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = coordinator
        other.mergePolicy = NSMergePolicy.overwrite
        other.performAndWait {
            try? body(other)
            try? other.save()
        }
    }

    /// Another context changes the owner.
    func changeElsewhere() {
        inOtherContext { other in
            for owner in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")) {
                owner.setValue(Stage.text + "elsewhere", forKey: "text")
                owner.setValue(Thing(Stage.text + "elsewhere"), forKey: "thing")
            }
        }
    }

    /// Another context deletes an object.
    func deleteElsewhere(_ object: NSManagedObject?) {
        guard let id = object?.objectID, !id.isTemporaryID else { return }
        inOtherContext { other in other.delete(try other.existingObject(with: id)) }
    }

    func saveChild() {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let id = usableOwner().objectID
        child.performAndWait {
            guard let owner = try? child.existingObject(with: id) else { return }
            owner.setValue(Stage.text + "child", forKey: "text")
            let new = NSEntityDescription.insertNewObject(forEntityName: "Item", into: child)
            new.setValue("child", forKey: "name")
            switch value.relationship {
            case let kind where kind.isToOne: owner.setValue(new, forKey: "rel")
            case let kind where kind.isOrdered: owner.mutableOrderedSetValue(forKey: "rel").insert(new, at: 0)
            default: owner.mutableSetValue(forKey: "rel").add(new)
            }
            try? child.save()
        }
    }
}
