import CoreData

extension PredicateTable {
    /// Fetch request expressions.
    static var fetches: [PredicateRow] {
        @Sendable func fetch(
            _ realm: Realm, _ entity: String, _ format: String? = nil, countOnly: Bool = false, limit: Int = 0,
            offset: Int = 0
        ) -> NSExpression {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
            request.predicate = format.map { NSPredicate(format: $0, argumentArray: nil) }
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchLimit = limit
            request.fetchOffset = offset
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
            row("Work", "SELF IN %@", "the last two works", "Fog Grass") { [fetch($0, "Work", limit: 2)] },
            row("Work", "SELF IN %@", "all works but the last five", "Atlas Birds") { [fetch($0, "Work", offset: 5)] },
            row("Work", "SELF IN %@", "the last work but one", "Fog") { [fetch($0, "Work", limit: 1, offset: 1)] },
        ]
    }
}
