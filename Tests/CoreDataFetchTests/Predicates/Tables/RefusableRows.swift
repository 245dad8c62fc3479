extension PredicateTable {
    /// Predicates that SQL may refuse; if it evaluates one, it gives the same result.
    static var refusable: [PredicateRow] {
        [PredicateRow](
            "Sample", ways: .refusable,
            """
            sqrt(i16) == 1 -> a
            sqrt(i32) > 4 -> b d hi
            floor(dbl) == 2 -> b
            floor(dbl) == -1 -> c
            ceiling(dbl) == 3 -> b
            trunc(dbl) == 0 -> z c h
            i16 ** 2 == 49 -> d
            i16 ** 2 == 9 -> c m
            raise:toPower:(i16, 3) == 8 -> b
            exp(i16) == 1 -> z
            ln(i16) == 0 -> a
            log(i64) > 2.8 -> d hi
            modulus:by:(dbl, 2) == 0.5 -> b
            CAST(i16, 'NSString') == '7' -> d
            CAST(i16, 'NSString') BEGINSWITH '-' -> c lo
            """)
            + [PredicateRow](
                "Person", ways: .refusable,
                """
                median(works.pages) == 210 -> Ann
                stddev(works.pages) == 90 -> Ann
                'old' IN works.tags.name -> Ann Eva
                works.tags.name CONTAINS 'sky' -> Bob
                'Fog' IN works.tags.works.name -> Ann Bob Eva
                SELF IN friends.friends -> Ann Bob Cid Eva Gus
                'Atlas' IN works.@distinctUnionOfObjects.name -> Ann
                2001 IN works.@unionOfObjects.year -> Ann Bob
                """)
            + [PredicateRow](
                "Work", ways: .refusable,
                """
                chapters[0].name == 'Intro' -> Atlas
                chapters[FIRST].name == 'Reply' -> Echo
                chapters[LAST].name == 'Call' -> Echo
                chapters[SIZE] == 3 -> Atlas
                chapters[0].number == 1 -> Atlas Birds Dreams Fog
                """)
            + [PredicateRow](
                "Land", ways: .refusable,
                """
                towns[0].name == 'Bex' -> Aria
                towns[LAST].name == 'Ald' -> Aria
                """)
    }
}
