import CoreData

extension PredicateTable {
    /// Predicates of which Apple's SQLite stores refuse some. A stack here finds the same in SQL as in memory, but for
    /// missing values.
    static var rowsForSQL: [PredicateRow] {
        castsInSQL + conditionals + conditionalConstants + constantSides + calculations + textConstants + orders + lists
    }

    private static var castsInSQL: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            CAST(day, 'NSDate') == CAST(86400, 'NSDate') -> a
            CAST(dec, 'NSNumber') == 2.5 -> b
            CAST(dec, 'NSDecimalNumber') == 3.25 -> m
            CAST(uuid, 'NSUUID') == uuid -> all; a b hi z
            CAST(link, 'NSURL') == CAST('urn:hi', 'NSURL') -> hi
            CAST(bytes, 'NSData') == bytes -> all; a b c hi z
            CAST(dec, 'NSDate') == CAST(2.5, 'NSDate') -> b
            CAST(i16, 'NSDecimalNumber') == 7 -> d
            CAST(dbl, 'NSDecimalNumber') == 7.75 -> d
            CAST(day, 'NSDecimalNumber') == 43200 -> h
            CAST(dbl, 'NSString') == '2.5' -> b
            CAST(dec, 'NSString') == '19.99' -> d
            CAST(dec * 100000000000000000000, 'NSString') == '100000000000000000000' -> a
            CAST(day, 'NSString') BEGINSWITH '2001-01-02' -> a
            CAST(uuid, 'NSString') BEGINSWITH 'AAAA' -> b
            CAST(link, 'NSString') == 'urn:hi' -> hi
            CAST(link, 'NSString') == nil -> n d h m lo
            """)
    }

    private static var conditionals: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            TERNARY(i16 > 0, nil, text) <[c] 'B' -> z lo
            TERNARY(i16 > 0, i16, nil) / 2 == 3 -> d
            floor(TERNARY(flag == NO, i16, dbl)) == 2 -> b
            FUNCTION(SELF, 'valueForKey:', 'text') == 'apple' -> a
            FUNCTION(text, 'valueForKey:', 'length') == 5 -> a m
            FUNCTION(uppercase(text), 'valueForKey:', 'length') == 5 -> a m
            """)
    }

    /// A constant of each type as a value of a conditional expression.
    private static var conditionalConstants: [PredicateRow] {
        func row(
            _ entity: String, _ format: String, _ note: String, _ found: String,
            _ constant: @escaping @Sendable (Realm) -> Any
        ) -> PredicateRow {
            PredicateRow(entity, format, note: note, found, ways: .withoutText) { [constant($0), constant($0)] }
        }
        return [
            row("Sample", "TERNARY(i16 > 0, day, %@) == %@", "a date", "n z c h lo") { _ in RealmData.day(7) },
            row("Sample", "TERNARY(i16 > 0, uuid, %@) == %@", "a UUID", "n z c h lo") { _ in RealmValues.other },
            row("Sample", "TERNARY(i16 > 0, link, %@) == %@", "a URL", "n z c h lo") { _ in URL(string: "urn:x")! },
            row("Sample", "TERNARY(i16 > 0, bytes, %@) == %@", "data", "n z c h lo") { _ in Data([7]) },
            row("Being", "TERNARY(alive == YES, entity, %@) == %@", "an entity", "Cid Gus Kid Eva Fay Mia Sly Ufo") {
                $0["Eva"].entity
            },
        ]
    }

    /// Comparisons of constants, and of constants in lists.
    private static var constantSides: [PredicateRow] {
        [PredicateRow](
            "Sample",
            #"""
            ANY {1, 2} == i16 -> a b
            ANY nil == i16 ->
            'APPLE' IN[c] {label, 'apple'} -> all
            'APPLE' IN {label, 'apple'} ->
            'ban' IN[c] {label, 5} -> b
            5 IN[c] {i16, 'x', 5} -> all
            'caf\u00e9' IN[c] {label, 'cafe\u0301'} ->
            ANY {'a', label} >[c] 'Zz' -> hi
            ANY {'a', label} > 'Zz' -> all
            ANY {1, label} > 'lemon' ->
            ANY {5, i16} < 3 -> z a b c lo
            ANY {5, i16} < 5 -> z a b c m lo
            ANY {5, i16} <= 5 -> all
            ANY {5, i16} > 5 -> d hi
            ANY {5, i16} >= 5 -> all
            ANY {5, i16} >= 6 -> d hi
            ANY {5, i16} <= 4 -> z a b c m lo
            5 BETWEEN {i16, 5} -> z a b c m lo
            NOT nil < 1 -> all;
            NOT 1 > 2 -> all
            NOT {1, i32} CONTAINS i16 -> but z a; b c d m lo hi
            NOT i16 IN {1, i32} -> but z a; b c d m lo hi
            """#)
    }

    private static var calculations: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            i16 + 1 == nil -> n h
            1 + i16 == nil -> n h
            dec / (i16 - i16) > 1e308 ->
            // SQLite stores a whole decimal as an integer.
            dec / 2 == 0.5 -> a
            floor(i16) == 7 -> d
            // The root of a negative number is no number, which isn't nil.
            sqrt(i16) / 2 == nil -> n h
            sqrt(i16) + 1 == nil -> n h
            day + 86400 == CAST(172800, 'NSDate') -> a
            86400 + day == CAST(172800, 'NSDate') -> a
            day - 86400 == CAST(0, 'NSDate') -> a
            next.day - day == 86400 -> z a
            random() >= 0 -> all
            randomn(10) < 10 -> all
            """)
            + [PredicateRow](
                "Sample", ways: .withoutText,
                """
                // Their text is Apple's, which shows 0.0 as 0.
                dbl / 0.0 > 1e308 -> a b d h hi
                """)
            + [PredicateRow](
                "Person",
                """
                works.@count / nil == nil -> all
                works.@count %% pets.@count == nil -> Cid Dot Gus Kid Fay
                """)
            + [
                PredicateRow("Sample", "dec / %@ == nil", note: "a decimal zero", "n", ways: .withoutText) { _ in
                    [NSDecimalNumber.zero]
                },
                PredicateRow("Sample", "day - %@ == 86400", note: "a date", "a", ways: .withoutText) { _ in
                    [RealmData.day(0)]
                },
                PredicateRow("Sample", "dec != %@", note: "not a number", "all; but n", ways: .withoutText) { _ in
                    [NSDecimalNumber.notANumber]
                },
                PredicateRow("Sample", "day != %@", note: "no date", "all; but d m n", ways: .withoutText) { _ in
                    [Date(timeIntervalSinceReferenceDate: .nan)]
                },
            ]
    }

    private static var textConstants: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            uuid BEGINSWITH '1111' -> a
            uuid CONTAINS[c] 'bbbb-4ccc' -> b
            i16 BEGINSWITH '2' ->
            """)
            + [
                PredicateRow("Sample", "link BEGINSWITH %@", note: "a URL", "z a") { _ in
                    [URL(string: "http://a.example/")!]
                },
                PredicateRow("Sample", "uuid BEGINSWITH %@", note: "a UUID", "a") { _ in [RealmValues.u1] },
                PredicateRow("Sample", "link ==[c] %@", note: "a URL", "") { _ in [URL(string: "URN:HI")!] },
            ]
    }

    /// Values that have no order, and values of two types.
    private static var orders: [PredicateRow] {
        [PredicateRow](
            "Person",
            """
            teacher <= parent ->
            teacher >= parent ->
            """)
            + [PredicateRow](
                "Sample",
                """
                day > i16 ->
                uuid < link ->
                """)
            + [
                PredicateRow("Work", "author <= %@", note: "Ann", "", ways: .withoutText) { $0("Ann") },
                PredicateRow("Work", "author >= %@", note: "Ann", "", ways: .withoutText) { $0("Ann") },
            ]
    }

    private static var lists: [PredicateRow] {
        [
            PredicateRow("Sample", "i16 BETWEEN %@", note: "three values", "") { _ in [[1, 2, 3]] },
            PredicateRow("Sample", "bytes IN %@", note: "two thousand", "z", ways: .withoutText) { _ in
                [(0..<2000).map { Data([9, UInt8($0 % 256), UInt8($0 / 256)]) } + [Data()]]
            },
            PredicateRow("Work", "chapters[-1].name == 'Seas'", note: "no element", "") { _ in [] },
        ]
    }

    /// Fetch request expressions of the values of one property. The values are those of the store.
    static var fetchedValues: [PredicateRow] {
        func row(
            _ entity: String, _ format: String, _ found: String, of other: String, where condition: String? = nil,
            _ key: String
        ) -> PredicateRow {
            PredicateRow(
                entity, format, note: "\(key) of \(other), \(condition ?? "all")", found, ways: [.stores, .sql]
            ) { realm in
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: other)
                request.predicate = condition.map { NSPredicate(format: $0, argumentArray: nil) }
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [key]
                return [
                    NSFetchRequestExpression.expression(
                        forFetch: NSExpression(forConstantValue: request),
                        context: NSExpression(forConstantValue: realm.context), countOnly: false)
                ]
            }
        }
        return [
            row("Person", "title IN %@", "Ann Fay", of: "Person", where: "age == 30", "title"),
            // Gus has no title, which no title is equal to.
            row("Person", "NOT title IN %@", "but Ann Fay; Cid Dot Eva", of: "Person", where: "age == 30", "title"),
            row("Person", "nil IN %@", "", of: "Person", "title"),
            row("Sample", "text IN %@", "z a", of: "Sample", "label"),
            row("Sample", "text IN[c] %@", "z a c lo hi", of: "Sample", "label"),
            row("Sample", "NOT text IN[c] %@", "n b d h m; b d m", of: "Sample", "label"),
            row("Sample", "'ban' IN %@", "all", of: "Sample", "label"),
            row("Sample", "'banana' IN %@", "", of: "Sample", "label"),
            row("Sample", "i16 IN[c] %@", "z b m c", of: "Sample", "j"),
            row("Sample", "day IN %@", "", of: "Sample", "i32"),
        ]
    }
}
