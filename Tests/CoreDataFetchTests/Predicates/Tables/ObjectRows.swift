import CoreData

extension PredicateTable {
    static var objects: [PredicateRow] {
        func row(
            _ entity: String, _ format: String, _ note: String, _ found: String,
            _ arguments: @escaping @Sendable (Realm) -> [Any]
        ) -> PredicateRow {
            PredicateRow(entity, format, note: note, found, ways: .withoutText, arguments)
        }
        return [
            row("Work", "author == %@", "Ann", "Atlas Birds") { $0("Ann") },
            row("Work", "author != %@", "Ann", "but Atlas Birds; but Atlas Birds Fog") { $0("Ann") },
            row("Work", "NOT author == %@", "Ann", "but Atlas Birds; but Atlas Birds Fog") { $0("Ann") },
            row("Work", "author == %@", "ID of Ann", "Atlas Birds") { [$0["Ann"].objectID] },
            row("Work", "author != %@", "ID of Ann", "but Atlas Birds; but Atlas Birds Fog") { [$0["Ann"].objectID] },
            row("Work", "%@ == author", "Ann", "Atlas Birds") { $0("Ann") },
            row("Work", "author.objectID == %@", "ID of Ann", "Atlas Birds") { [$0["Ann"].objectID] },
            row("Work", "author IN %@", "an array", "Atlas Birds Grass") { [$0("Ann Fay")] },
            row("Work", "author IN %@", "IDs", "Atlas Birds Grass") { [$0("Ann Fay").map(\.objectID)] },
            row("Work", "author IN %@", "a set", "Atlas Birds Grass") { [NSSet(array: $0("Ann Fay"))] },
            row("Work", "author IN %@", "a Swift set", "Atlas Birds Grass") { [Set($0("Ann Fay"))] },
            row("Work", "author IN %@", "an ordered set", "Atlas Birds Grass") { [NSOrderedSet(array: $0("Ann Fay"))] },
            row("Work", "author IN %@", "nothing", "") { _ in [[NSManagedObject]()] },
            row("Work", "NOT author IN %@", "two", "but Atlas Birds Grass; Clouds Dreams Echo") { [$0("Ann Fay")] },
            row("Work", "author IN {%@, %@}", "two", "Atlas Birds Grass") { $0("Ann Fay") },
            row("Work", "author == %@", "a town", "") { $0("Ald") },
            row("Work", "author != %@", "a town", "all; but Fog") { $0("Ald") },
            row("Work", "author == %@", "a text", "") { _ in ["Ann"] },
            row("Work", "author == %@", "null", "Fog") { _ in [NSNull()] },
            row("Work", "SELF == %@", "Fog", "Fog") { $0("Fog") },
            row("Work", "SELF != %@", "Fog", "but Fog") { $0("Fog") },
            row("Work", "self == %@", "Fog", "Fog") { $0("Fog") },
            row("Work", "SELF == %@", "ID of Fog", "Fog") { [$0["Fog"].objectID] },
            row("Work", "objectID == %@", "ID of Fog", "Fog") { [$0["Fog"].objectID] },
            row("Work", "SELF.objectID != %@", "ID of Fog", "but Fog") { [$0["Fog"].objectID] },
            row("Work", "SELF IN %@", "two", "Echo Fog") { [$0("Echo Fog")] },
            row("Work", "SELF IN %@", "IDs", "Echo Fog") { [$0("Echo Fog").map(\.objectID)] },
            row("Work", "objectID IN %@", "IDs", "Echo Fog") { [$0("Echo Fog").map(\.objectID)] },
            row("Work", "NOT SELF IN %@", "two", "but Echo Fog") { [$0("Echo Fog")] },
            row("Work", "SELF IN %@", "of all kinds", "Echo") { [$0("Echo Ann Ald o1")] },
            row("Work", "%@ CONTAINS SELF", "two", "Echo Fog") { [$0("Echo Fog")] },
            row("Work", "tags CONTAINS %@", "old", "Atlas Echo Fog") { $0("old") },
            row("Work", "NOT tags CONTAINS %@", "old", "but Atlas Echo Fog") { $0("old") },
            row("Work", "%@ IN tags", "old", "Atlas Echo Fog") { $0("old") },
            row("Work", "%@ IN tags", "ID of old", "Atlas Echo Fog") { [$0["old"].objectID] },
            row("Work", "ANY tags == %@", "old", "Atlas Echo Fog") { $0("old") },
            row("Work", "ANY tags != %@", "old", "but Dreams Echo") { $0("old") },
            row("Work", "ALL tags == %@", "old", "Dreams Echo") { $0("old") },
            row("Work", "NONE tags == %@", "old", "but Atlas Echo Fog") { $0("old") },
            row("Work", "ANY tags IN %@", "two", "Atlas Clouds Fog Grass") { [$0("maps sky")] },
            row("Work", "ALL tags IN %@", "three", "Atlas Dreams Echo Fog") { [$0("maps old sky")] },
            row("Work", "NONE tags IN %@", "two", "Birds Dreams Echo") { [$0("maps sky")] },
            row("Work", "tags CONTAINS %@ AND tags CONTAINS %@", "two", "Fog") { $0("old sky") },
            row("Work", "chapters CONTAINS %@", "Seas", "Atlas") { $0("Seas") },
            row("Work", "author.home == %@", "Ald", "Atlas Birds Clouds") { $0("Ald") },
            row("Work", "author.home.land == %@", "Boria", "Dreams Echo") { $0("Boria") },
            row("Work", "author.teacher == %@", "Eva", "Atlas Birds Grass") { $0("Eva") },
            row("Work", "ANY author.pets == %@", "Tom", "Atlas Birds") { $0("Tom") },
            row("Work", "SUBQUERY(tags, $t, $t == %@).@count == 1", "old", "Atlas Echo Fog") { $0("old") },
            row("Work", "SUBQUERY(tags, $t, $t IN %@).@count == 2", "two", "Grass") { [$0("maps nature")] },
            row("Work", "ANY tags.works == %@", "Fog", "Atlas Clouds Echo Fog") { $0("Fog") },
            row("Work", "TERNARY(author == %@, 'hers', 'not') == 'hers'", "Ann", "Atlas Birds") { $0("Ann") },
            row("Person", "works CONTAINS %@", "Echo", "Eva") { $0("Echo") },
            row("Person", "friends CONTAINS %@", "Bob", "Ann") { $0("Bob") },
            row("Person", "ANY friends.friends == %@", "Ann", "Ann") { $0("Ann") },
            row("Person", "ANY works IN %@", "of two", "Ann Eva") { [$0("Atlas Echo")] },
            row("Person", "SELF == %@", "a scholar", "Eva") { $0("Eva") },
            row("Person", "SELF IN %@", "with an animal", "Ann Eva") { [$0("Ann Eva Rex")] },
            row("Person", "SELF == %@", "an animal", "") { $0("Rex") },
            row("Being", "SELF IN %@", "mixed", "Ann Eva Rex") { [$0("Ann Eva Rex Ald")] },
            row("Being", "home == %@ AND SELF != %@", "Ald without Ann", "Bob Dot Rex Tom") { [$0["Ald"], $0["Ann"]] },
            row("Being", "parent IN %@", "two", "Dot Fay") { [$0("Ann Eva")] },
            row("Being", "entity == %@", "Person", "Ann Bob Cid Dot Gus Kid") { [$0["Ann"].entity] },
            row("Being", "entity != %@", "Person", "but Ann Bob Cid Dot Gus Kid") { [$0["Ann"].entity] },
            row("Being", "entity IN %@", "two", "Eva Fay Rex Tom Mia Sly Ufo") {
                [[$0["Eva"].entity, $0["Rex"].entity]]
            },
            row("Being", "parent.entity == %@", "Animal", "Tom") { [$0["Rex"].entity] },
            row("Chapter", "work.author IN %@", "Ann, Eva", "but Mist") { [$0("Ann Eva")] },
            row("Sample", "next == %@", "d", "d") { $0("d") },
            row("Sample", "next.next == %@", "c", "a") { $0("c") },
            row("Sample", "ANY before == %@", "a", "b") { $0("a") },
        ]
            + [PredicateRow](
                "Person",
                """
                ANY works.author == SELF -> Ann Bob Eva Fay
                ANY friends.friends == SELF -> Ann Bob Cid Eva Gus
                teacher == parent -> Bob Gus Eva Fay; Fay
                parent != teacher -> Ann Cid Dot Kid;
                SELF == SELF -> all
                SELF != nil -> all
                SELF == nil ->
                ANY home.dwellers != SELF -> Ann Bob Cid Dot
                ANY teacher.students == SELF -> Ann Cid Fay
                """)
    }

    /// Keys that only some entities of a hierarchy have: in a fetch they are missing for the others.
    static var inheritance: [PredicateRow] {
        [PredicateRow](
            "Being",
            """
            alive == YES -> Ann Bob Dot Eva Rex Tom
            alive == nil -> Kid Fay Sly Ufo
            height > 1.5 -> Ann Bob Eva Fay
            name BEGINSWITH 'E' -> Eva
            ANY friends.name == 'Tom' -> Rex
            children.@count == 1 -> Ann Dot Eva Mia
            parent.name == 'Mia' -> Tom
            born < CAST(0, 'NSDate') -> Bob Eva
            """)
            + [PredicateRow](
                "Being", ways: .fetchOnly,
                """
                age == 30 -> Ann Gus Fay
                age == nil -> Cid Rex Tom Mia Sly Ufo
                age != 30 -> but Ann Gus Fay; Bob Dot Eva Kid
                NOT age > 20 -> Cid Dot Kid Rex Tom Mia Sly Ufo; Dot Kid
                legs == 4 -> Rex Tom
                NOT legs == 4 -> but Rex Tom; Mia Sly
                legs == age -> Cid Ufo;
                degree == 'PhD' -> Eva
                degree == nil -> but Eva
                degree != nil -> Eva
                kind == 'cat' OR title == 'Dr' -> Tom Mia Ann Fay
                age > 20 AND alive == YES -> Ann Bob Eva
                ANY works.name == 'Echo' -> Eva
                NONE works.name == 'Echo' -> but Eva
                works.@count > 1 -> Ann Eva
                works.@count == 0 -> but Ann Bob Eva Fay
                teacher.name == 'Eva' -> Ann Cid Fay
                owner.name == 'Ann' -> Rex Tom
                owner == nil -> but Rex Tom Mia Ufo
                owner.works.@count == 2 -> Rex Tom Ufo
                students.@count == 3 -> Eva
                parent.age == 30 -> Dot
                ANY friends.age == 30 -> Bob Cid Eva
                ANY children.age < 10 -> Ann Dot
                uppercase(kind) == 'CAT' -> Tom Mia
                SUBQUERY(works, $w, $w.year == 2001).@count > 0 -> Ann Bob
                """)
            + [PredicateRow](
                "Person", ways: .fetchOnly,
                """
                degree == 'PhD' -> Eva
                degree == nil -> but Eva
                ANY students.name == 'Cid' -> Eva
                ALL students.age == 30 -> but Eva
                students.@count == 0 -> but Eva
                """)
            + [PredicateRow](
                "Scholar",
                """
                name == 'Eva' -> Eva
                age == 30 -> Fay
                degree == nil -> Fay
                ANY students.name == 'Cid' -> Eva
                teacher.students.@count == 3 -> Fay
                home.land.name == 'Boria' -> Eva
                """)
            + [PredicateRow](
                "Animal",
                """
                owner.age == 30 -> Rex Tom
                owner.alive == YES -> Rex Tom Mia Ufo
                legs < 4 -> Mia Sly
                parent.name == 'Mia' AND owner.name == 'Ann' -> Tom
                ANY friends.name == 'Rex' -> Tom
                home.name == 'Ald' -> Rex Tom
                """)
            + [PredicateRow](
                "Town", ways: .fetchOnly,
                """
                ANY dwellers.age == 30 -> Ald Dun
                ALL dwellers.age == nil -> Bex
                dwellers.@sum.legs == 8 -> Ald
                SUBQUERY(dwellers, $d, $d.legs == 4).@count == 2 -> Ald
                ANY dwellers.works.name == 'Echo' -> Cor
                """)
            + [PredicateRow](
                "Work", ways: .fetchOnly,
                """
                author.degree == 'PhD' -> Dreams Echo
                author.degree == nil -> but Dreams Echo
                author.students.@count == 3 -> Dreams Echo
                """)
    }
}
