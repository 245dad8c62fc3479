import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The keys of ordered relationships")
struct OrderKeysTests {
    private func isIncreasing(_ keys: [Int64]) -> Bool {
        zip(keys, keys.dropFirst()).allSatisfy(<) && keys.allSatisfy { $0 >= 0 }
    }

    @Test("new content gets keys with room between them")
    func new() {
        expectEqual(OrderKeys.assign([nil, nil, nil]), [2048, 3072, 4096])
        expectEqual(OrderKeys.assign([]), [])
    }

    @Test("what keeps its order keeps its keys")
    func kept() {
        expectEqual(OrderKeys.assign([2048, 3072, 4096]), [2048, 3072, 4096])
        expectEqual(OrderKeys.assign([2048, 3072, nil]), [2048, 3072, 4096])
        let inserted = OrderKeys.assign([2048, nil, 3072])
        expectEqual(inserted[0], 2048)
        expectEqual(inserted[2], 3072)
        expectTrue(isIncreasing(inserted))
        let moved = OrderKeys.assign([4096, 2048, 3072])
        expectEqual(moved[1], 2048)
        expectEqual(moved[2], 3072)
        expectTrue(isIncreasing(moved))
    }

    @Test("without room everything is numbered anew")
    func crowded() {
        expectTrue(isIncreasing(OrderKeys.assign([1, nil, 2])))
        expectTrue(isIncreasing(OrderKeys.assign([nil, nil, 0])))
        expectTrue(isIncreasing(OrderKeys.assign([Int64.max - 1, nil, nil])))
        expectTrue(isIncreasing(OrderKeys.assign([-5, nil, Int64.min, 7])))
    }

    @Test("any keys give increasing ones, at random")
    func random() {
        let seed = TestRun.seed(for: "order keys")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...12, using: &random)
            let range = Int64.random(in: 1...5000, using: &random)
            let present = (0..<count).map { _ in
                Bool.random(using: &random) ? Int64.random(in: -2...range, using: &random) : nil as Int64?
            }
            let keys = OrderKeys.assign(present)
            expectEqual(keys.count, count, "seed \(seed): \(present) gives \(keys)")
            expectTrue(isIncreasing(keys), "seed \(seed): \(present) gives \(keys)")
        }
    }
}
