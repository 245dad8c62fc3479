import OpenCoreData
import TestSupport

/// The store, the contexts and the objects of one case.
final class Stage {
    static let text = "a text that is too long to be stored in its reference"

    let value: Case
    let trigger: Trigger
    let folder: TemporaryFolder
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: SubjectContext
    private(set) var owner: NSManagedObject?
    private(set) var items: [NSManagedObject] = []
    private var count = 0
    private var observers: [any NSObjectProtocol] = []
    private var controller: NSFetchedResultsController<NSManagedObject>?
    private let delegate = SubjectDelegate()

    init(_ value: Case) throws {
        self.value = value
        trigger = Trigger(value)
        folder = try TemporaryFolder()
        ValueTransformer.setValueTransformer(ThingTransformer(), forName: ThingTransformer.name)
        model = Self.makeModel(value.relationship)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("store.sqlite"), options: nil)
        context = SubjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = SubjectMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        trigger.stage = self
    }

    private static func makeModel(_ kind: RelationshipKind) -> NSManagedObjectModel {
        let (owner, item) = (NSEntityDescription(), NSEntityDescription())
        for (entity, name) in [(owner, "Owner"), (item, "Item")] {
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(Subject.self)
        }
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            if type == .transformableAttributeType {
                attribute.valueTransformerName = ThingTransformer.name.rawValue
            }
            return attribute
        }
        func relationship(_ name: String, _ entity: NSEntityDescription, toMany: Bool, ordered: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, entity)
            (relationship.maxCount, relationship.isOptional) = (toMany ? 0 : 1, true)
            (relationship.isOrdered, relationship.deleteRule) = (ordered, .nullifyDeleteRule)
            return relationship
        }
        func attributes() -> [NSPropertyDescription] {
            [
                attribute("name", .stringAttributeType), attribute("text", .stringAttributeType),
                attribute("thing", .transformableAttributeType), attribute("end", .stringAttributeType),
            ]
        }
        let there = relationship("rel", item, toMany: !kind.isToOne, ordered: kind.isOrdered)
        let isManyBack = [.manyToOne, .manyToMany, .orderedManyToMany].contains(kind)
        let back = relationship("back", owner, toMany: isManyBack, ordered: kind == .orderedManyToMany)
        owner.properties = attributes() + [there]
        item.properties = attributes() + [back]
        if kind.hasInverse { (there.inverseRelationship, back.inverseRelationship) = (back, there) }
        let model = NSManagedObjectModel()
        model.entities = [owner, item]
        return model
    }

    // MARK: Running

    /// Runs the script on the context's queue.
    ///
    /// - Throws: what is wrong with the context afterwards.
    func run() throws {
        Trigger.current = trigger
        defer {
            Trigger.current = nil
            observers.forEach(NotificationCenter.default.removeObserver)
        }
        try context.performAndWait {
            try prepare()
            trigger.isArmed = true
            for step in Step.allCases { run(step) }
            trigger.isArmed = false
            try context.checkInvariants()
            controller = nil
            context.undoManager = nil
            context.reset()
        }
        try checkStore()
    }

    private func prepare() throws {
        let owner = make("Owner")
        for _ in 0..<3 { items.append(make("Item")) }
        self.owner = owner
        setMembers(value.relationship.isToOne ? [items[0]] : items)
        for _ in 0..<2 { items.append(make("Item")) }
        try context.save()
        context.undoManager = UndoManager()
        observe(.NSManagedObjectContextObjectsDidChange, context, .objectsDidChange)
        observe(.NSManagedObjectContextWillSave, context, .contextWillSave)
        observe(.NSManagedObjectContextDidSave, context, .contextDidSave)
        observe(.NSUndoManagerCheckpoint, context.undoManager!, .undoCheckpoint)
        if [.controllerWillChange, .controllerChange, .controllerDidChange].contains(value.callback) {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = delegate
            try controller.performFetch()
            self.controller = controller
        }
        context.refreshAllObjects()
    }

    private func observe(_ name: Notification.Name, _ object: AnyObject, _ callback: Callback) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in
                Trigger.current?.call(callback)
            })
    }

    /// Reads the store anew: every reference leads somewhere, and both sides agree. Not so for relationships without
    /// inverse, which a deletion doesn't reach, and after a refresh that discards the changes of one side alone.
    private func checkStore() throws {
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = coordinator
        try other.performAndWait {
            for owner in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")) {
                let text = owner.value(forKey: "text") as? String
                guard text == nil || text!.hasPrefix(Self.text) else { throw CallbackError("the text is '\(text!)'") }
                if !value.relationship.hasInverse || [.refresh, .refreshOwner].contains(value.action) { continue }
                for item in Self.objects(owner.value(forKey: "rel")) {
                    guard item.value(forKey: "name") != nil else {
                        throw CallbackError("an item that doesn't exist is a member")
                    }
                    guard Self.objects(item.value(forKey: "back")).contains(owner) else {
                        throw CallbackError("the sides of a saved relationship contradict each other")
                    }
                }
            }
            try other.checkInvariants()
        }
    }

    static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    // MARK: Objects

    @discardableResult
    func make(_ entity: String) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        count += 1
        fill(object, "\(entity) \(count)")
        return object
    }

    func fill(_ object: NSManagedObject, _ name: String) {
        object.setValue(name, forKey: "name")
        object.setValue(Self.text + name, forKey: "text")
        object.setValue(Thing(Self.text + name), forKey: "thing")
        object.setValue(Self.text + name, forKey: "end")
    }

    /// An object that still belongs to the context.
    func isUsable(_ object: NSManagedObject?) -> Bool {
        object.map { $0.managedObjectContext != nil && !$0.isDeleted } ?? false
    }

    /// The owner, made anew if it was deleted or left the context.
    func usableOwner() -> NSManagedObject {
        if isUsable(owner) { return owner! }
        let found = try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")).first(where: isUsable)
        let new = found ?? make("Owner")
        let former = owner
        owner = new
        withExtendedLifetime(former) {}
        return new
    }

    func usableItems(_ count: Int) -> [NSManagedObject] {
        // Their values may end, which lets the action look at the items.
        let known = items
        items = known.filter(isUsable)
        withExtendedLifetime(known) {}
        if items.count < count {
            let found = (try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))) ?? []
            items += found.filter { isUsable($0) && !items.contains($0) }
        }
        while items.count < count { items.append(make("Item")) }
        return Array(items.prefix(count)).filter(isUsable)
    }

    func setMembers(_ members: [NSManagedObject]) {
        let owner = usableOwner()
        let members = members.filter(isUsable)
        if value.relationship.isToOne {
            owner.setValue(members.first, forKey: "rel")
        } else if value.relationship.isOrdered {
            owner.setValue(NSOrderedSet(array: members), forKey: "rel")
        } else {
            owner.setValue(NSSet(array: members), forKey: "rel")
        }
    }
}
