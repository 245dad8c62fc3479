import Testing

@testable import CoreDataPredicates

@Suite("Sort descriptors by key")
struct SortDescriptorTests {
    private func sorted(_ values: [Any], by descriptors: [NSSortDescriptor]) -> [String] {
        let things = values.map { Thing(["v": $0]) }
        return (things as NSArray).sortedArray(using: descriptors).map { "\(($0 as? Thing)?.values["v"] ?? "")" }
    }

    @Test("Values sort by their own order, missing ones first")
    func natural() {
        expectEqual(
            sorted([3, NSNull(), 1, 2], by: [NSSortDescriptor(key: "v", ascending: true)]).suffix(3), ["1", "2", "3"])
        expectEqual(
            sorted([3, 1, NSNull(), 2], by: [NSSortDescriptor(key: "v", ascending: false)]).prefix(3),
            [
                "3", "2", "1",
            ])
        expectEqual(sorted(["b", "B", "a"], by: [NSSortDescriptor(key: "v", ascending: true)]), ["B", "a", "b"])
    }

    @Test("Selectors compare strings their way")
    func selectors() {
        let selector = NSSelectorFromString("caseInsensitiveCompare:")
        expectEqual(
            sorted(["b", "C", "a"], by: [NSSortDescriptor(key: "v", ascending: true, selector: selector)]),
            [
                "a", "b", "C",
            ])
        let standard = NSSelectorFromString("localizedStandardCompare:")
        expectEqual(
            sorted(
                ["file10", "file9", "File1"], by: [NSSortDescriptor(key: "v", ascending: true, selector: standard)]),
            ["File1", "file9", "file10"])
    }

    @Test("A block compares")
    func comparator() {
        let descriptor = NSSortDescriptor(key: "v", ascending: true) { one, two in
            SortComparison.natural((one as? String)?.count ?? 0, (two as? String)?.count ?? 0)
        }
        expectEqual(sorted(["ccc", "a", "bb"], by: [descriptor]), ["a", "bb", "ccc"])
        expectTrue(descriptor.needsEvaluation)
        expectEqual(descriptor.selector, nil)
    }

    @Test("A descriptor tells its key, selector and direction, and reverses")
    func parts() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true)
        expectEqual(descriptor.key, "a.b")
        expectTrue(descriptor.ascending)
        expectEqual(descriptor.selector, "compare:")
        expectFalse(descriptor.needsEvaluation)
        let reversed = try requireValue(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        expectEqual(reversed.key, "a.b")
        expectFalse(reversed.ascending)
        expectTrue(descriptor.isEqual(NSSortDescriptor(key: "a.b", ascending: true)))
        expectFalse(descriptor.isEqual(reversed))
        expectEqual((descriptor.copy() as? NSSortDescriptor)?.key, "a.b")
    }

    @Test("Descriptors combine and follow key paths")
    func combined() {
        let rows = [("b", 1), ("a", 2), ("a", 1)].map { Thing(["x": Thing(["y": $0.0]), "z": $0.1]) }
        let result = (rows as NSArray).sortedArray(using: [
            NSSortDescriptor(key: "x.y", ascending: true), NSSortDescriptor(key: "z", ascending: false),
        ])
        expectEqual(result.map { ($0 as? Thing)?.values["z"] as? Int }, [2, 1, 1])
    }

    @Test("Sorting with keys read once gives the same order and keeps equal objects' order")
    func sortedObjects() {
        let things = (0..<500).map {
            Thing(["a": ($0 * 7) % 5, "b": $0 % 3 == 0 ? NSNull() : "s\($0 % 11)" as Any, "n": $0])
        }
        let descriptors = [
            NSSortDescriptor(key: "a", ascending: false), NSSortDescriptor(key: "b", ascending: true),
            NSSortDescriptor(key: "n", ascending: true),
        ]
        let expected = (things as NSArray).sortedArray(using: descriptors) as? [Thing]
        expectEqual(SortedObjects.sort(things, by: descriptors), expected)
        expectEqual(SortedObjects.sort(things, by: Array(descriptors.prefix(2))), expected)
    }
}
