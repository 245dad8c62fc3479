import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The storage of Foundation's sets")
struct FoundationStorageTests {
    private final class Member: NSObject {
        let onDeinit: () -> Void
        init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    @Test("two ordered sets exchange their members, and release them once")
    func exchanging() {
        nonisolated(unsafe) var released = 0
        do {
            let members = (0..<3).map { _ in Member { released += 1 } }
            let (one, other) = (NSMutableOrderedSet(array: members), NSMutableOrderedSet())
            expectEqual(OrderedSetStorage.exchange(one, other), OrderedSetStorage.isExchangeable)
            let (empty, full) = OrderedSetStorage.isExchangeable ? (one, other) : (other, one)
            expectEqual(empty.count, 0)
            expectEqual(full.count, 3)
            #expect(full.array as? [Member] == members)
            full.moveObjects(at: [0], to: 2)
            expectEqual(full.index(of: members[0]), 2)
        }
        expectEqual(released, 3)
    }

    @Test("a set has its objects, as one that Foundation makes, and keeps them no longer")
    func sets() throws {
        let entity = NSEntityDescription()
        entity.name = "Item"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        weak var member: NSManagedObject?
        for count in [0, 1, 2, 5, 100] {
            let objects = (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
            member = objects.first
            var members = MemberSet(objects)
            let set = members.set
            #expect(type(of: set) == NSSet.self)
            expectEqual(set.count, count)
            expectTrue(set.isEqual(to: Set(objects)))
            #expect(set as? Set<NSManagedObject> == Set(objects))
            expectEqual(Set(set.compactMap { $0 as? NSManagedObject }), Set(objects))
            let copy = try requireValue(set.mutableCopy() as? NSMutableSet)
            copy.add(NSObject())
            expectEqual(copy.count, count + 1)
            expectEqual(set.count, count)
        }
        expectEqual(member, nil)
        withExtendedLifetime(model) {}
    }

    @Test("a typed set of members is a Swift set like any other, and a set that a program has never changes")
    func typedSets() throws {
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "Item"
        model.entities = [entity]
        weak var released: NSManagedObject?
        do {
            let objects = (0..<40).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
            released = objects.last
            var members = MemberSet(Array(objects.prefix(30)))
            let first = members.objects(as: NSManagedObject.self)
            let shown = members.set
            _ = members.insert(objects[30])
            _ = members.remove(objects[0])
            let (changed, derived) = (members.objects(as: NSManagedObject.self), members.objects(as: Derived.self))
            let second = try requireValue(changed)
            expectEqual(first, Set(objects.prefix(30)))
            #expect(shown as? Set<NSManagedObject> == first)
            expectEqual(second, Set(objects[1...30]))
            expectEqual(derived, nil)
            // A program changes its copy, which grows.
            var copy = second
            for object in objects { copy.insert(object) }
            copy.subtract(second)
            expectEqual(copy, Set([objects[0]] + objects[31...]))
            #expect(second.count == 30 && second.isSuperset(of: objects[1...30]))
            expectTrue(members.hasMembers(Array(objects[1...30])))
        }
        expectEqual(released, nil)
        withExtendedLifetime(model) {}
    }

    private final class Derived: NSManagedObject {}

    @Test("a typed set has the members of its class and of derived ones alone")
    func classes() {
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "Item"
        model.entities = [entity]
        let derived = (0..<3).map { _ in Derived(entity: entity, insertInto: nil) }
        let other = NSManagedObject(entity: entity, insertInto: nil)
        var members = MemberSet(derived)
        let first = (members.objects(as: Derived.self), members.objects(as: NSManagedObject.self))
        let again = members.objects(as: Derived.self)
        _ = members.insert(other)
        let mixed = (members.objects(as: Derived.self), members.objects(as: NSManagedObject.self))
        _ = members.remove(other)
        let last = members.objects(as: Derived.self)
        #expect(first.0 == Set(derived) && first.1 == Set(derived))
        #expect(again == Set(derived) && last == Set(derived))
        #expect(mixed.0 == nil && mixed.1 == Set(derived + [other]))
        withExtendedLifetime(model) {}
    }

    @Test("Foundation's classes on Linux have the expected storage")
    func expectedStorage() {
        #if os(Linux)
            expectTrue(OrderedSetStorage.isExchangeable)
            expectTrue(SetStorage.isUsable)
        #endif
    }
}
