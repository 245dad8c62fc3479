import TestSupport
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The records of a former order of members")
struct OrderRecordTests {
    private let items = ItemObjects(40)
    private var objects: [NSManagedObject] { items.all }

    private func content(_ count: Int) -> ToManyContent {
        let content = ToManyContent(isOrdered: true, isLoaded: false)
        content.load(Array(objects.prefix(count)))
        return content
    }

    @Test("a record has the order of its time after moves and other changes")
    func formerOrders() {
        let content = content(6)
        let first = content.orderRecord()
        content.move([4], to: 1)
        let second = content.orderRecord()
        content.move([0], to: 5)
        content.move([2], to: 3)
        content.remove(objects[2])
        content.insert(objects[9], at: 0)
        expectEqual(first.order, Array(objects[0..<6]))
        expectEqual(second.order, [0, 4, 1, 2, 3, 5].map { objects[$0] })
    }

    @Test("a member that moves away and back leaves the contents unchanged")
    func movedBack() {
        let content = content(6)
        content.move([4], to: 1)
        expectTrue(content.isChanged)
        content.move([1], to: 4)
        expectFalse(content.isChanged)
        content.move([3], to: 3)
        expectFalse(content.isChanged)
    }

    @Test("undoing moves restores the committed order, and commits begin a new one")
    func rollback() {
        let content = content(6)
        content.move([0], to: 5)
        content.commit()
        let committed = content.members
        for _ in 0..<20 { content.move([1], to: 4) }
        expectEqual(content.committed, committed)
        content.rollback()
        expectEqual(content.members, committed)
        expectEqual(content.checkInvariants(), [])
    }

    @Test("a record outlives its contents")
    func lifetime() {
        var content: ToManyContent? = content(5)
        let record = content?.orderRecord()
        content?.move([0], to: 3)
        content = nil
        expectEqual(record?.order, Array(objects[0..<5]))
    }

    @Test("records have the orders of their times, at random")
    func random() {
        let seed = TestRun.seed(for: "order records")
        var random = SeededGenerator(seed: seed)
        let content = content(20)
        var records: [(record: OrderRecord, order: [NSManagedObject])] = []
        var committed = content.members
        for step in 0..<500 {
            if Int.random(in: 0..<4, using: &random) == 0 { records.append((content.orderRecord(), content.members)) }
            switch Int.random(in: 0..<16, using: &random) {
            case 0: content.insert(objects.randomElement(using: &random)!, at: content.count / 2)
            case 1 where content.count > 3: content.remove(content.members.randomElement(using: &random)!)
            case 2: content.reorder(content.members.shuffled(using: &random))
            case 3:
                content.commit()
                committed = content.members
            case 4: content.rollback()
            case 5 where !records.isEmpty: records.remove(at: Int.random(in: 0..<records.count, using: &random))
            default:
                let indexes = 0..<content.count
                content.move(
                    [indexes.randomElement(using: &random)!], to: indexes.randomElement(using: &random)!)
            }
            expectEqual(content.isChanged, (content.members != committed), "seed \(seed), step \(step)")
            expectEqual(content.committed, committed, "seed \(seed), step \(step)")
            if let known = records.randomElement(using: &random) {
                expectEqual(known.record.order, known.order, "seed \(seed), step \(step)")
            }
            expectEqual(content.checkInvariants(), [], "seed \(seed), step \(step)")
        }
        for known in records { expectEqual(known.record.order, known.order, "seed \(seed)") }
    }
}
