import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Sorting as SQL")
struct OrderingTests {
    @Test(
        "has the same order as the descriptors in memory",
        arguments: [
            [("name", true, "compare:")], [("name", false, "caseInsensitiveCompare:"), ("age", true, "compare:")],
            [("name", true, "localizedStandardCompare:")], [("name", true, "localizedCaseInsensitiveCompare:")],
            [("name", false, "localizedCompare:")], [("idol.name", true, "compare:"), ("born", false, "compare:")],
            [("songs.@count", false, "compare:"), ("score", true, "compare:")], [("price", true, "compare:")],
            [("ident", true, "compare:"), ("link", false, "compare:"), ("photo", true, "compare:")],
            [("isActive", true, "compare:"), ("idol.idol.age", false, "compare:")],
        ] as [[(String, Bool, String)]])
    func agreement(keys: [(String, Bool, String)]) throws {
        let library = try Library()
        var random = SeededGenerator(seed: 11)
        try library.fill(&random)
        var query = library.query("Artist")
        query.sortDescriptors = keys.map { NSSortDescriptor(key: $0.0, ascending: $0.1, selector: Selector($0.2)) }
        let descriptors = query.sortDescriptors
        let expected = library.artists.sorted { one, two in
            for descriptor in descriptors {
                let order = descriptor.compare(one, to: two)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return one.key < two.key
        }
        try expectEqual(library.keys(query), expected.map(\.key))
        query.limit = 7
        query.offset = 3
        try expectEqual(library.keys(query), Array(expected.map(\.key)[3..<10]))
        try expectEqual(library.keys(query, selecting: .count), [7])
    }
}
