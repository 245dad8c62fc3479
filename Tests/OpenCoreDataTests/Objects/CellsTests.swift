import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Cells of objects and rows")
struct CellsTests {
    /// Kinds of all widths, more than the marks of one word.
    private static let kinds: [StorageKind] = (0..<150).map { index in
        [StorageKind.integer64, .string, .toOne, .boolean, .decimal, .date, .string][index % 7]
    }

    private static func width(_ kind: StorageKind) -> Int {
        kind.family == .string || kind.family == .reference ? 2 : 1
    }

    private struct Assigned {
        let cells: Cells
        let positions: [Int]
        let wordCount: Int

        init(_ kinds: [StorageKind]) {
            var assignment = CellAssignment()
            positions = kinds.map { assignment.next($0) }
            wordCount = assignment.wordCount
            cells = .allocate(wordCount: wordCount)
            cells.initializeEmpty(wordCount: wordCount)
        }
    }

    @Test("no two cells share a word, and none has a word of marks")
    func assignment() {
        let assigned = Assigned(Self.kinds)
        var used: Set<Int> = []
        for (position, kind) in zip(assigned.positions, Self.kinds) {
            for word in position..<(position + Self.width(kind)) {
                #expect(word % 64 != 0)
                expectTrue(used.insert(word).inserted)
                #expect(word < assigned.wordCount)
            }
        }
        assigned.cells.deallocate()
    }

    @Test("binary values are not compared byte by byte as objects")
    func binaryValues() {
        let (ones, twos) = (Data(repeating: 1, count: 16_000_000), Data(repeating: 2, count: 16_000_000))
        let seconds = TestRun.processorSeconds {
            expectFalse(ValueEquality.areEqual(ones, twos))
            expectFalse(ValueEquality.areEqual(ones, twos.dropFirst()))
            expectTrue(ValueEquality.areEqual(ones, Data(repeating: 1, count: 16_000_000)))
        }
        #expect(seconds < 0.5)
    }

    @Test("a layout that goes on behind another one has the same cells")
    func continuation() {
        var whole = CellAssignment()
        for kind in Self.kinds[..<100] { _ = whole.next(kind) }
        var rest = CellAssignment(after: whole.wordCount)
        for kind in Self.kinds[100...] { expectEqual(rest.next(kind), whole.next(kind)) }
    }

    @Test("a scalar or a reference has a value or none, whatever its neighbours have")
    func marks() {
        let kinds = Self.kinds.filter { $0.family == .scalar || $0.family == .reference }
        let assigned = Assigned(kinds)
        let cells = assigned.cells
        func set(_ index: Int) {
            let position = assigned.positions[index]
            if kinds[index].family == .reference {
                cells.setReference(Int64(index), layout: UInt32(index + 7), at: position)
            } else {
                cells.setInteger(0, at: position)
            }
        }
        for index in kinds.indices {
            expectFalse(cells.isPresent(assigned.positions[index]))
            set(index)
            expectTrue(cells.isPresent(assigned.positions[index]))
        }
        for index in kinds.indices where index % 3 == 0 { cells.setEmpty(assigned.positions[index]) }
        for (index, position) in assigned.positions.enumerated() {
            expectEqual(cells.isPresent(position), (index % 3 != 0))
            if index % 3 != 0, kinds[index].family == .reference {
                expectEqual(cells.integer(position), Int64(index))
                expectEqual(cells.referenceLayout(position), UInt32(index + 7))
            }
        }
        cells.deallocate()
    }
}
