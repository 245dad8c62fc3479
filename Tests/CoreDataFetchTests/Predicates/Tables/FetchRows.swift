import CoreData

extension PredicateTable {
    /// Fetch request expressions.
    static var fetches: [PredicateRow] {
        @Sendable func fetch(_ realm: Realm, _ entity: String, _ format: String?, countOnly: Bool = false)
            -> NSExpression
        {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
            request.predicate = format.map { NSPredicate(format: $0, argumentArray: nil) }
            return NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: request),
                context: NSExpression(forConstantValue: realm.context), countOnly: countOnly)
        }
        func row(
            _ entity: String, _ format: String, _ note: String, _ found: String,
            _ arguments: @escaping @Sendable (Realm) -> [Any]
        ) -> PredicateRow {
            PredicateRow(entity, format, note: note, found, ways: [.withoutText, .mayRefuse], arguments)
        }
        return [
            row("Work", "SELF IN %@", "works of 2001", "Birds Clouds") { [fetch($0, "Work", "year == 2001")] },
            row("Work", "NOT SELF IN %@", "works of 2001", "but Birds Clouds") { [fetch($0, "Work", "year == 2001")] },
            row("Work", "author IN %@", "persons of thirty", "Atlas Birds Grass") {
                [fetch($0, "Person", "age == 30")]
            },
            row("Work", "author.home IN %@", "towns with many people", "Atlas Birds Clouds") {
                [fetch($0, "Town", "people > 500")]
            },
            row("Person", "ANY works IN %@", "works tagged old", "Ann Eva") {
                [fetch($0, "Work", "ANY tags.name == 'old'")]
            },
            row("Person", "works.@count < %@", "the count of lands", "all") {
                [fetch($0, "Land", nil, countOnly: true)]
            },
            row("Tag", "works.@count == %@", "the count of lands", "nature old") {
                [fetch($0, "Land", nil, countOnly: true)]
            },
            row("Sample", "i16 == %@", "the count of towns' lands", "b") {
                [fetch($0, "Land", "towns.@count > 0", countOnly: true)]
            },
        ]
    }
}
