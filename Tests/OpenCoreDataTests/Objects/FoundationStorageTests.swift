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
            #expect(OrderedSetStorage.exchange(one, other) == OrderedSetStorage.isExchangeable)
            let (empty, full) = OrderedSetStorage.isExchangeable ? (one, other) : (other, one)
            #expect(empty.count == 0)
            #expect(full.count == 3)
            #expect(full.array as? [Member] == members)
            full.moveObjects(at: [0], to: 2)
            #expect(full.index(of: members[0]) == 2)
        }
        #expect(released == 3)
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
            guard let set = SetStorage.makeSet(objects) else { continue }
            #expect(type(of: set) == NSSet.self)
            #expect(set.count == count)
            #expect(set.isEqual(to: Set(objects)))
            #expect(set as? Set<NSManagedObject> == Set(objects))
            #expect(Set(set.compactMap { $0 as? NSManagedObject }) == Set(objects))
            let copy = try #require(set.mutableCopy() as? NSMutableSet)
            copy.add(NSObject())
            #expect(copy.count == count + 1)
            #expect(set.count == count)
        }
        #expect(member == nil)
        withExtendedLifetime(model) {}
    }

    @Test("Foundation's classes on Linux have the expected storage")
    func expectedStorage() {
        #if os(Linux)
            #expect(OrderedSetStorage.isExchangeable)
            #expect(SetStorage.isUsable)
        #endif
    }
}
