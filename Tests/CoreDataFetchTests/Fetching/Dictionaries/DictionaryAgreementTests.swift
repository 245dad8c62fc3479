import CoreData
import Testing

/// Random requests for dictionaries, with equal results from every store.
private struct RandomRequests {
    var generator: SeededGenerator

    private static let keys = [
        "year", "title", "artist", "artist.name", "artist.country", "rating", "price", "venue", "songs.@count",
        "objectID",
    ]
    private static let numbers = ["year", "rating", "songs.@count", "year / 10", "title.length", "songs.@sum.seconds"]
    private static let values =
        numbers + [
            "price", "title", "artist.name", "uppercase:(title)", "songs.@max.seconds", "TERNARY(year > 1970, 1, 2)",
        ]
    private static let predicates = [
        nil, "year > 1966", "artist != nil", "ANY songs.seconds > 150", "venue == nil", "year > 3000",
        "artist.name == 'Beatles'",
    ]

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }
    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func aggregate() -> String {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: "count:(SELF)"
        case 1: "count:(\(pick(Self.values)))"
        case 2: "sum:(\(pick(Self.numbers)))"
        case 3: "min:(\(pick(Self.values)))"
        case 4: "max:(\(pick(Self.values)))"
        case 5: "max:(songs.seconds)"
        default: "count:(@distinctUnionOfObjects.\(pick(["year", "artist", "artist.name"])))"
        }
    }

    mutating func next() -> (request: NSFetchRequest<NSDictionary>, isOrdered: Bool) {
        var isOrdered = true
        let request: NSFetchRequest<NSDictionary>
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            let columns = (0...Int.random(in: 0...2, using: &generator)).map {
                column("v\($0)", pick(Self.values)) as Any
            }
            request = dictionaryRequest("Album", [pick(Self.keys)] + columns, where: pick(Self.predicates))
            request.returnsDistinctResults = chance(30)
            // Without a sort descriptor the order of rows is the store's affair, and which of the equal rows gives the
            // others' order.
            if !request.returnsDistinctResults {
                request.sortDescriptors = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    NSSortDescriptor(key: pick(Self.keys + ["v0"]), ascending: chance(50))
                }
            }
            isOrdered = request.sortDescriptors?.isEmpty == false
        case 1:
            let columns = (0...Int.random(in: 0...3, using: &generator)).map { column("v\($0)", aggregate()) as Any }
            request = dictionaryRequest("Album", columns, where: pick(Self.predicates))
        default:
            let groups = Array(Set((0...Int.random(in: 0...1, using: &generator)).map { _ in pick(Self.keys) }))
                .sorted()
            let columns = (0...Int.random(in: 0...3, using: &generator)).map { column("v\($0)", aggregate()) as Any }
            let having = pick([
                nil, "v0 != nil", "$v0 >= 2", "count:(SELF) > 1", "max:(year) < 1975 OR \(groups[0]) == nil",
            ])
            request = dictionaryRequest(
                "Album", groups.filter { _ in chance(80) } + columns, where: pick(Self.predicates), group: groups,
                having: having.map { NSPredicate(format: $0) })
            request.sortDescriptors =
                chance(50) ? [NSSortDescriptor(key: pick(groups + ["v0"]), ascending: chance(50))] : []
        }
        if isOrdered && chance(30) { (request.fetchLimit, request.fetchOffset) = (pick([0, 1, 3]), pick([0, 1, 2])) }
        return (request, isOrdered)
    }
}

@Suite("Dictionary results: agreement of stores")
struct DictionaryAgreementTests {
    @Test("stores in memory and in files have equal results for random requests", arguments: 0..<8)
    func agreement(_ offset: Int) throws {
        let seed = TestRun.seed(for: "random dictionary requests")
        try withAlbums(.sqlite) { file in
            try withAlbums(.memory) { memory in
                var requests = RandomRequests(generator: SeededGenerator(seed: seed))
                for number in 0..<60 {
                    let (request, isOrdered) = requests.next()
                    let columns = (request.propertiesToFetch ?? []).map {
                        ($0 as? NSExpressionDescription)?.expression ?? $0
                    }
                    let label =
                        """
                        seed \(seed), request \(number): \(columns) \
                        group \(request.propertiesToGroupBy ?? []) having \
                        \(request.havingPredicate?.description ?? "-") where \
                        \(request.predicate?.description ?? "-") sort \(request.sortDescriptors ?? [])
                        """
                    var answers = [try file.texts(request), try memory.texts(request)]
                    try expectEqual(
                        file.count(for: request), answers[0].count,
                        "\(label)")
                    try expectEqual(
                        memory.count(for: request), answers[1].count,
                        "\(label)")
                    if !isOrdered { answers = answers.map { $0.sorted() } }
                    expectEqual(answers[0], answers[1], "\(label)")
                    try checkInvariants(of: file, memory)
                }
            }
        }
    }
}
