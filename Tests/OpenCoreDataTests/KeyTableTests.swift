import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The key table")
struct KeyTableTests {
    @Test(
        "Agrees with a dictionary over long random sequences, in runs, strides and scattered keys",
        arguments: [1, 7, 16, 4096, 1 << 20])
    func agreesWithDictionary(stride: Int64) {
        let seed = TestRun.seed(for: "key table")
        var random = SeededGenerator(seed: seed)
        var table = KeyTable<Void>()
        var expected: [Int64: UInt] = [:]
        for _ in 0..<20_000 {
            let key = (Int64.random(in: -200...600, using: &random)) * stride
            if Int.random(in: 0..<3, using: &random) == 0 {
                table.remove(key)
                expected[key] = nil
            } else {
                let bits = UInt.random(in: 2...UInt.max, using: &random)
                table.set(MemoryAddress(UnsafeRawPointer(bitPattern: bits)!), for: key)
                expected[key] = bits
            }
            let probe = Int64.random(in: -300...700, using: &random) * stride
            expectEqual(table[probe].map { UInt(bitPattern: $0.pointer) }, expected[probe], "seed \(seed)")
        }
        expectEqual(table.checkInvariants(), [], "seed \(seed)")
        expectEqual(table.count, expected.count, "seed \(seed)")
        var found: [Int64: UInt] = [:]
        table.forEachEntry { key, address, _ in found[key] = UInt(bitPattern: address.pointer) }
        expectEqual(found, expected, "seed \(seed)")
    }

    @Test("Removes an entry only if it holds the given address")
    func removesWhatItHolds() {
        var table = KeyTable<Void>()
        table.set(MemoryAddress(UnsafeRawPointer(bitPattern: 64)!), for: 1)
        table.remove(1, ifHolding: MemoryAddress(UnsafeRawPointer(bitPattern: 32)!))
        expectEqual(table.count, 1)
        table.remove(1, ifHolding: MemoryAddress(UnsafeRawPointer(bitPattern: 64)!))
        expectEqual(table.count, 0)
    }
}
