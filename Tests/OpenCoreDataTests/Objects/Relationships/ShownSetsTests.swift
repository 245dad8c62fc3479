import TestSupport
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The sets that a program gets of a to-many relationship")
struct ShownSetsTests {
    private let items = ItemObjects(60)
    private var objects: [NSManagedObject] { items.all }

    private func content(isOrdered: Bool, _ count: Int) -> ToManyContent {
        let content = ToManyContent(isOrdered: isOrdered, isLoaded: false)
        content.load(Array(objects.prefix(count)))
        return content
    }

    private func members(_ set: NSSet) -> Set<NSManagedObject> { set as! Set<NSManagedObject> }
    private func members(_ set: NSOrderedSet) -> [NSManagedObject] { set.array as! [NSManagedObject] }

    @Test("a set stays as it was when members are added and removed")
    func held() {
        let content = content(isOrdered: false, 5)
        let first = content.set
        content.insert(objects[5])
        let second = content.set
        content.remove(objects[0])
        let third = content.set
        expectEqual(members(first), Set(objects[0...4]))
        expectEqual(members(second), Set(objects[0...5]))
        expectEqual(members(third), Set(objects[1...5]))
        expectEqual(content.checkInvariants(), [])
    }

    @Test("an ordered set stays as it was when members are added, removed, moved and exchanged")
    func heldOrdered() {
        let content = content(isOrdered: true, 4)
        let first = content.orderedSet
        content.insert(objects[4], at: 1)
        let second = content.orderedSet
        content.move([0, 1], to: 2)
        let third = content.orderedSet
        content.exchange(0, 4)
        let fourth = content.orderedSet
        content.remove(objects[0])
        expectEqual(members(first), Array(objects[0...3]))
        expectEqual(members(second), [0, 4, 1, 2, 3].map { objects[$0] })
        expectEqual(members(third), [1, 2, 0, 4, 3].map { objects[$0] })
        expectEqual(members(fourth), [3, 2, 0, 4, 1].map { objects[$0] })
        expectEqual(members(content.orderedSet), [3, 2, 4, 1].map { objects[$0] })
        expectEqual(content.checkInvariants(), [])
    }

    @Test("a set is the same object until the members change")
    func same() {
        let content = content(isOrdered: false, 3)
        let set = content.set
        #expect(content.set === set)
        content.insert(objects[0])
        #expect(content.set === set)
        content.insert(objects[7])
        #expect(content.set !== set)
        #expect(type(of: content.set) == NSSet.self)
    }

    @Test("many changes between two readers, at random")
    func random() {
        let seed = TestRun.seed(for: "shown members")
        var random = SeededGenerator(seed: seed)
        for isOrdered in [false, true] {
            let content = content(isOrdered: isOrdered, 20)
            var held: [(shown: [NSManagedObject], expected: [NSManagedObject])] = []
            for _ in 0..<400 {
                let object = objects.randomElement(using: &random)!
                let count = content.count
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    content.insert(object, at: isOrdered ? Int.random(in: 0...count, using: &random) : nil)
                case 2: content.remove(object)
                case 3 where isOrdered && count > 1:
                    let index = Int.random(in: 0..<count, using: &random)
                    content.move([index], to: Int.random(in: 0..<count, using: &random))
                case 4 where isOrdered && count > 1:
                    content.exchange(
                        Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
                case 5:
                    if isOrdered {
                        held.append((members(content.orderedSet), content.members))
                    } else {
                        expectEqual(members(content.set), Set(content.members), "seed \(seed)")
                    }
                    if Int.random(in: 0..<8, using: &random) == 0 { content.commit() }
                default: continue
                }
                expectEqual(content.checkInvariants(), [], "seed \(seed)")
            }
            for pair in held { expectEqual(pair.shown, pair.expected, "seed \(seed)") }
        }
    }

    @Test("only moved and added members need other positions")
    func placements() {
        let content = content(isOrdered: true, 40)
        expectEqual(content.placements, [])
        content.move([30], to: 3)
        content.insert(objects[40], at: 20)
        content.insert(objects[41])
        expectEqual(content.placements, [3..<4, 20..<21, 41..<42])
        content.remove(objects[40])
        expectEqual(content.placements, [3..<4, 40..<41])
        content.commit()
        expectEqual(content.placements, [])
        content.reorder(content.members.reversed())
        expectEqual(content.placements, nil)
    }
}
