import CoreData
import Testing

/// Counts the change notifications of a context that tell an object as refreshed.
private final class RefreshRecorder: @unchecked Sendable {
    private(set) var refreshed: [Set<NSManagedObjectID>] = []
    private var observer: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [unowned self] note in
            guard let objects = note.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> else { return }
            refreshed.append(Set(objects.map(\.objectID)))
        }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}

@Suite("Derived attributes over relationships")
struct DerivedOverRelationshipTests {
    private func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression)
        -> NSDerivedAttributeDescription
    {
        let derived = NSDerivedAttributeDescription()
        derived.name = name
        derived.attributeType = type
        derived.derivationExpression = expression
        return derived
    }

    private func makeModel() -> NSManagedObjectModel {
        let list = entity("List")
        let item = entity("Item")
        let tag = entity("Tag")
        let items = toMany("items", item, rule: .cascadeDeleteRule)
        let owner = toOne("list", list)
        pair(items, owner)
        let tags = toMany("tags", tag)
        let tagged = toMany("items", item)
        pair(tags, tagged)
        list.properties = [
            attribute("name", .stringAttributeType), items,
            derived("count", .integer64AttributeType, NSExpression(forKeyPath: "items.@count")),
            derived("total", .doubleAttributeType, NSExpression(format: "sum:(items.price)")),
        ]
        item.properties = [
            attribute("name", .stringAttributeType), attribute("price", .doubleAttributeType), owner, tags,
            derived("listName", .stringAttributeType, NSExpression(forKeyPath: "list.name")),
        ]
        tag.properties = [
            attribute("name", .stringAttributeType), tagged,
            derived("uses", .integer32AttributeType, NSExpression(format: "count:(items)")),
        ]
        return model([list, item, tag])
    }

    private func total(_ list: NSManagedObject) -> Double? { (list.value(forKey: "total") as? NSNumber)?.doubleValue }

    @Test("have their values after the save of a new object", arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func inserted(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let empty = stack.context.make("List", "empty")
            let list = stack.context.make("List", "l")
            let item = stack.context.make("Item", "i", ["list": list, "price": 1.5])
            stack.context.make("Item", "j", ["list": list, "price": 2.5])
            expectEqual(list.number("count"), nil)
            try stack.context.save()
            expectEqual(list.number("count"), 2)
            expectEqual(total(list), 4)
            expectEqual(item.text("listName"), "l")
            expectEqual(empty.number("count"), 0)
            expectFalse(stack.context.hasChanges)
            try inFreshContext(stack) { try expectEqual($0.names("List", "count == 2 AND total == 4"), ["l"]) }
        }
    }

    @Test(
        "follow when only the related object changes, whose owner is told as refreshed",
        arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func related(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let list = stack.context.make("List", "l")
            let other = stack.context.make("List", "other")
            let item = stack.context.make("Item", "i", ["list": list, "price": 1.5])
            try stack.context.save()
            stack.context.processPendingChanges()
            let recorder = RefreshRecorder(stack.context)

            item.setValue(5, forKey: "price")
            try stack.context.save()
            expectEqual(total(list), 5)
            expectFalse(list.hasChanges)
            stack.context.processPendingChanges()
            expectEqual(recorder.refreshed, [[list.objectID]])

            list.setValue("renamed", forKey: "name")
            try stack.context.save()
            expectEqual(item.text("listName"), "renamed")
            stack.context.processPendingChanges()
            expectEqual(recorder.refreshed.last, [item.objectID])

            item.setValue(other, forKey: "list")
            try stack.context.save()
            expectEqual(list.number("count"), 0)
            expectEqual(total(list), 0)
            expectEqual(other.number("count"), 1)
            expectEqual(total(other), 5)
            expectEqual(item.text("listName"), "other")
            try inFreshContext(stack) { try expectEqual($0.names("List", "count == 1 AND total == 5"), ["other"]) }
        }
    }

    @Test("follow the deletion of a related object", arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func deleted(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let list = stack.context.make("List", "l")
            let item = stack.context.make("Item", "i", ["list": list, "price": 1.5])
            stack.context.make("Item", "j", ["list": list, "price": 2])
            try stack.context.save()
            stack.context.delete(item)
            try stack.context.save()
            expectEqual(list.number("count"), 1)
            expectEqual(total(list), 2)
            stack.context.delete(list)
            try stack.context.save()
            try expectEmpty(stack.context.all("Item"))
        }
    }

    @Test("count relationships with many on both sides", arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func manyToMany(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let tag = stack.context.make("Tag", "t")
            let first = stack.context.make("Item", "i")
            let second = stack.context.make("Item", "j")
            first.setValue(Set([tag]), forKey: "tags")
            try stack.context.save()
            expectEqual(tag.number("uses"), 1)
            second.setValue(Set([tag]), forKey: "tags")
            try stack.context.save()
            expectEqual(tag.number("uses"), 2)
            stack.context.delete(first)
            try stack.context.save()
            expectEqual(tag.number("uses"), 1)
        }
    }

    @Test("reach the objects of other contexts that merge", arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func merged(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let list = stack.context.make("List", "l")
            let item = stack.context.make("Item", "i", ["list": list, "price": 1.5])
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                other.automaticallyMergesChangesFromParent = true
                let same = try other.existingObject(with: list.objectID)
                expectEqual(total(same), 1.5)
            }
            item.setValue(9, forKey: "price")
            try stack.context.save()
            try on(other) {
                let same = try other.existingObject(with: list.objectID)
                expectEqual(total(same), 9)
            }
        }
    }

    @Test(
        "don't make a row newer: another context's object saves without a conflict",
        arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func versions(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let list = stack.context.make("List", "l")
            let item = stack.context.make("Item", "i", ["list": list, "price": 1.5])
            try stack.context.save()
            let other = stack.newContext()
            try on(other) { try other.existingObject(with: list.objectID).setValue("mine", forKey: "name") }
            item.setValue(9, forKey: "price")
            try stack.context.save()
            try on(other) { try other.save() }
            try inFreshContext(stack) { try expectEqual($0.names("List", "total == 9"), ["mine"]) }
        }
    }

    @Test(
        "follow when what they are derived from is derived itself",
        arguments: StoreKind.everyKind.without(.derivedWithOwner))
    func chained(_ kind: StoreKind) throws {
        let artist = entity("Artist")
        let album = entity("Album")
        let song = entity("Song")
        let albums = toMany("albums", album)
        let by = toOne("artist", artist)
        let songs = toMany("songs", song)
        let on = toOne("album", album)
        pair(albums, by)
        pair(songs, on)
        artist.properties = [
            attribute("name", .stringAttributeType), albums,
            derived("total", .doubleAttributeType, NSExpression(format: "sum:(albums.total)")),
        ]
        album.properties = [
            attribute("name", .stringAttributeType), by, songs,
            derived("total", .doubleAttributeType, NSExpression(format: "sum:(songs.price)")),
        ]
        song.properties = [attribute("name", .stringAttributeType), attribute("price", .doubleAttributeType), on]
        try withStack(kind, model: model([artist, album, song])) { stack in
            let artist = stack.context.make("Artist", "a")
            let album = stack.context.make("Album", "b", ["artist": artist])
            let song = stack.context.make("Song", "c", ["album": album, "price": 2])
            try stack.context.save()
            expectEqual(total(album), 2)
            expectEqual(total(artist), 2)
            song.setValue(9, forKey: "price")
            try stack.context.save()
            expectEqual(total(album), 9)
            expectEqual(total(artist), 9)
            try inFreshContext(stack) { try expectEqual(total($0.one("Artist", "a")), 9) }
        }
    }

    @Test(
        "count a new object once that is its own member", arguments: StoreKind.allCases.without(.derivedWithOwner))
    func ownMember(_ kind: StoreKind) throws {
        let node = entity("Node")
        let (parent, children) = (toOne("parent", node), toMany("children", node))
        pair(parent, children)
        node.properties = [
            attribute("name", .stringAttributeType), attribute("weight", .integer64AttributeType), parent, children,
            derived("count", .integer64AttributeType, NSExpression(forKeyPath: "children.@count")),
            derived("total", .integer64AttributeType, NSExpression(format: "sum:(children.weight)")),
        ]
        try withStack(kind, model: model([node])) { stack in
            let root = stack.context.make("Node", "root", ["weight": 5])
            root.setValue(root, forKey: "parent")
            stack.context.make("Node", "leaf", ["weight": 3]).setValue(root, forKey: "parent")
            try stack.context.save()
            expectEqual(root.number("count"), 2)
            try inFreshContext(stack) { context in
                let stored = try context.one("Node", "root")
                expectEqual(stored.number("count"), 2)
                expectEqual(stored.number("total"), 8)
                stored.setValue(nil, forKey: "parent")
                try context.save()
                expectEqual(stored.number("count"), 1)
            }
        }
    }
}
