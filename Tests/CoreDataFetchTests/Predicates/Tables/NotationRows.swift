import CoreData

extension PredicateTable {
    static var notations: [PredicateRow] {
        [PredicateRow](
            "Sample",
            #"""
            i32 == 0x14 -> b
            i32 == 0X46 -> d
            i32 == 0b10100 -> b
            i32 == 0o24 -> b
            i32 == 20.0 -> b
            i32 == 2e1 -> b
            i32 == 2E+1 -> b
            i32 == 200e-1 -> b
            dbl == -.5 -> c
            i16 == - 3 -> c
            i16 == -(-3) -> m
            i16 == +3 -> m
            (i16) == (2) -> b
            (i16 == 2) -> b
            i16==2 -> b
            i16==2||i16==3 -> b m
            i16+1==3&&flag==YES -> b
            i16 -1 == 0 -> a
            i16    ==    2 -> b
            SELF.i16 == 2 -> b
            self.i16 == 2 -> b
            SELF.next.self.i16 == 2 -> a
            i16 between {1, 2} -> a b
            i16 Between{1,2} -> a b
            i16 in {1, 2} -> a b
            text beginswith[C] 'A' -> a lo
            text Like[CD] 'A*' -> a lo
            i16 == 1 or i16 == 2 and flag == yes -> a b
            not i16 == 2 -> but b; but b h n
            Not (i16 == 2) -> but b; but b h n
            i16 == nIl -> n h
            i16 == null -> n h
            i16 == <null> -> n h
            flag == Yes AND NOT flag == tRuE ->
            truepredicate -> all
            text == "apple" -> a
            text == 'ap\u0070le' -> a
            text == 'a\x70ple' -> a
            text == "app\"le" ->
            text IN {"apple", 'date'} -> a d
            text == 'SELF' ->
            text == 'nil' ->
            text != '%@' -> all; but h n
            text != '$x' -> all; but h n
            i16 IN {1, 2, 3} AND NOT i16 IN {2} -> a m
            i16 IN {0x1, 1e0, 1.0} -> a
            i16 IN ({1} UNION {2, 3}) -> a b m
            i16 IN ({1, 2} INTERSECT {2, 3}) -> b
            i16 IN ({1, 2} MINUS {2, 3}) -> a
            i16 BETWEEN {1 + 1, 2 * 4} -> b d m
            i16 == {1, 2, 3}[1] -> b
            i16 == {1, 2, 3}[LAST] -> m
            i16 == {1, 2, 3}[FIRST] -> a
            i16 == {7, 7, 7}[SIZE] -> m
            """#) + [
                PredicateRow("Sample", "%K == %d", "b") { _ in ["i16", 2] },
                PredicateRow("Sample", "%K ==[c] %@", "a") { _ in ["text", "APPLE"] },
                PredicateRow("Sample", "%K == %@", note: "a path", "z") { _ in ["next.text", "apple"] },
                PredicateRow("Sample", "%K.%K == 1", "z") { _ in ["next", "i16"] },
                PredicateRow("Sample", "next.%K == 1", "z") { _ in ["i16"] },
                PredicateRow("Sample", "SELF.%K == 1", "a") { _ in ["i16"] },
                PredicateRow("Sample", "%K == %K", "n z a; a z") { _ in ["i16", "i32"] },
                PredicateRow("Sample", "text == %@", note: "with a quote", "") { _ in ["a' OR '1' == '1"] },
                PredicateRow("Sample", "text == %s", "a") { _ in ["apple"] },
                PredicateRow("Sample", "i16 == %i OR i16 == %u", "a b") { _ in [1, 2] },
                PredicateRow("Sample", "i16 == %x", "d") { _ in [7] },
                PredicateRow("Sample", "i16 == '%d'", note: "in quotes", "") { _ in [] },
                PredicateRow("Sample", "text BEGINSWITH[c] %@", "a lo") { _ in ["A"] },
                PredicateRow("Sample", "text LIKE %@", "a lo") { _ in ["a*"] },
                PredicateRow("Sample", "text MATCHES %@", "a lo") { _ in ["a\\w*"] },
                PredicateRow("Sample", "text IN %@", "a d") { _ in [["apple", "date"]] },
                PredicateRow("Sample", "text IN[c] %@", "a d") { _ in [["APPLE", "Date"]] },
                PredicateRow("Sample", "text IN %@", note: "a Swift set", "a d") { _ in [Set(["apple", "date"])] },
                PredicateRow("Sample", "text IN %@", note: "the keys of a dictionary", "a d") { _ in
                    [Array(["apple": 1, "date": 2].keys)]
                },
                PredicateRow("Sample", "text IN %@", note: "two thousand", "a") { _ in
                    [(0..<2000).map { "t\($0)" } + ["apple"]]
                },
                PredicateRow("Sample", "%@ == i16", note: "an expression", "b") { _ in
                    [NSExpression(forConstantValue: 2)]
                },
                PredicateRow("Sample", "%@ > 2", note: "an expression", "d m hi") { _ in
                    [NSExpression(forKeyPath: "i16")]
                },
                PredicateRow("Person", "ANY %K.%K == %d", "Ann Bob") { _ in ["works", "year", 2001] },
                PredicateRow("Person", "%K.@count == %d", "Ann Eva") { _ in ["works", 2] },
                PredicateRow("Person", "%K == 2", note: "with an operator", "Ann Eva") { _ in ["works.@count"] },
                PredicateRow("Person", "SUBQUERY(%K, $x, $x.%K == %d).@count > %d", "Ann Bob") { _ in
                    ["works", "year", 2001, 0]
                },
            ]
    }

    /// Keys that are words of the language.
    static var words: [PredicateRow] {
        [PredicateRow](
            "Odd",
            """
            #size == 1 -> o1
            size == 1 -> o1
            #first == 2 -> o2
            first == 2 -> o2
            last == nil -> o3
            #in == 1 -> o1
            #in IN {1, 2} -> o1 o2
            #not == 2 -> o2
            NOT #not == 2 -> o1 o3; o1
            #union == 1 -> o1
            #yes == 1 -> o1
            #null == nil -> o3
            #like == 1 -> o1
            cast == 1 -> o1
            #cast == 1 -> o1
            ANY #any.#size == 2 -> o1
            ANY #any.#in == nil -> o1
            #between.#size == 1 -> o2 o3
            #between.size == 1 -> o2 o3
            #between == nil -> o1
            #any.@count == 2 -> o1
            #not == #in -> all; but o3
            #name == 'o1' -> o1
            SUBQUERY(#any, $x, $x.#size == 2).@count == 1 -> o1
            SELF.#in == 1 -> o1
            """) + [
                PredicateRow("Odd", "%K == 1", "o1") { _ in ["in"] },
                PredicateRow("Odd", "%K == 1", note: "a path of words", "o2 o3") { _ in ["between.not"] },
                PredicateRow("Odd", "ANY %K == 2", "o1") { _ in ["any.null"] },
            ]
    }

    static var variables: [PredicateRow] {
        func row(
            _ entity: String, _ format: String, note: String = "", _ found: String, ways: PredicateRow.Ways = .all,
            _ values: @escaping @Sendable (Realm) -> [String: Any]
        ) -> PredicateRow {
            PredicateRow(entity, code: "\(format) with variables \(note)", found, ways: ways) {
                NSPredicate(format: format, argumentArray: nil).withSubstitutionVariables(values($0))
            }
        }
        return [
            row("Sample", "i16 == $X", "b") { _ in ["X": 2] },
            row("Sample", "i16 == $X", note: "null", "n h") { _ in ["X": NSNull()] },
            row("Sample", "$X == i16", "b") { _ in ["X": 2] },
            row("Sample", "i16 IN $LIST", "a m") { _ in ["LIST": [1, 3, 9]] },
            row("Sample", "i16 BETWEEN {$LOW, $HIGH}", "z a b m") { _ in ["LOW": 0, "HIGH": 3] },
            row("Sample", "i16 + $X == 9", "d") { _ in ["X": 2] },
            row("Sample", "text BEGINSWITH[c] $TEXT AND i16 == $X", "a") { _ in ["TEXT": "A", "X": 1] },
            row("Sample", "NOT (i16 == $X OR i16 == $Y)", "but a b; but a b h n") { _ in ["X": 1, "Y": 2] },
            row("Sample", "day == $DAY", "h") { _ in ["DAY": RealmData.day(0.5)] },
            row("Sample", "uuid == $ID", "a") { _ in ["ID": RealmValues.u1] },
            row("Sample", "flag == $FLAG", "a b d hi") { _ in ["FLAG": true] },
            row("Sample", "TERNARY(i16 == $X, 1, 0) == 1", "b") { _ in ["X": 2] },
            row("Work", "author == $WHO", "Atlas Birds", ways: .withoutText) { ["WHO": $0["Ann"]] },
            row("Work", "author.name == $NAME", "Atlas Birds") { _ in ["NAME": "Ann"] },
            row("Work", "ANY tags IN $TAGS", "Atlas Clouds Fog Grass", ways: .withoutText) { ["TAGS": $0("maps sky")] },
            row("Person", "SUBQUERY(works, $w, $w.year == $YEAR).@count > 0", "Ann Bob") { _ in ["YEAR": 2001] },
            row("Person", "SUBQUERY(works, $w, $w.year == 2001).@count > 0", note: "of the name inside", "Ann Bob") {
                _ in ["w": 5]
            },
        ]
    }
}
