import CoreDataModel
import Testing

@testable import fuzz

/// The first mutants of each kind, which are the same in every run. `make fuzz` tests more of them.
@Suite("Damaged files of every kind")
struct MutantTests {
    private static let count = TestRun.quick(6, long: 60)

    @Test("Damaged files are refused with a documented error, or are usable", arguments: InputKinds.all.map(\.name))
    func mutants(kindName: String) throws {
        let kind = try requireValue(InputKinds.named(kindName))
        let mutator = try Mutator(kind, seed: 3)
        for number in 0..<Self.count {
            let folder = try TemporaryFolder()
            do {
                _ = try kind.take(try mutator.mutant(number), in: folder.url, number: number)
            } catch {
                Issue.record("make fuzz ARGS=\"--kind \(kindName) --seed 3 --from \(number) --count 1\": \(error)")
            }
        }
    }

    @Test("A mutant comes back with its seed, kind and number")
    func sameMutant() throws {
        let kind = try requireValue(InputKinds.named("source"))
        try expectEqual(Mutator(kind, seed: 7).mutant(41), Mutator(kind, seed: 7).mutant(41))
        #expect(try Mutator(kind, seed: 7).mutant(41) != Mutator(kind, seed: 8).mutant(41))
    }

    @Test("Truncated files are refused with a documented error, or are usable", arguments: InputKinds.all.map(\.name))
    func truncated(kindName: String) throws {
        let kind = try requireValue(InputKinds.named(kindName))
        for sample in try kind.samples().prefix(TestRun.quick(1, long: 3)) {
            let lengths = stride(from: 0, to: sample.count, by: max(1, sample.count / 8))
            for length in lengths {
                let folder = try TemporaryFolder()
                do {
                    _ = try kind.take(Data(sample.prefix(length)), in: folder.url, number: 1)
                } catch {
                    Issue.record("\(kindName), the first \(length) of \(sample.count) bytes: \(error)")
                }
            }
        }
    }
}
