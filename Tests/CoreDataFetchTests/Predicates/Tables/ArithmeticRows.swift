import CoreData

extension PredicateTable {
    static var arithmetic: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            i16 + 1 == 3 -> b
            1 + i16 == 3 -> b
            i16 - 1 == 0 -> a
            1 - i16 == 4 -> c
            i16 * 2 == 14 -> d
            i16 * 2 + 1 == 15 -> d
            1 + i16 * 2 == 15 -> d
            (1 + i16) * 2 == 16 -> d
            i16 * (2 + 1) == 21 -> d
            i32 / 7 == 10 -> d
            i32 / 3 == 6 -> b
            i32 / 30 == -1 -> c
            i32 / 7 == -4 -> c
            i16 / 2 == 1 -> b m
            1 / i16 == 1 -> a
            10 / i16 == 5 -> b
            10 / i16 > 1000 -> z
            i32 / 0 > 1e308 -> a b d h hi
            i32 / 0 < -1e308 -> c lo
            dbl / 2 == 1.25 -> b
            dbl / 0 > 1e308 -> a b d h hi
            dbl * 2 == 5 -> b
            dbl + 0.5 == 0 -> c
            dbl - 1 == 1.5 -> b
            dec + 1 == 4.25 -> m
            dec * 2 == 5 -> b
            dec - 0.25 == 3 -> m
            dec / 2 == 1.25 -> b
            -i16 == 3 -> c
            -(i16) > 0 -> c lo
            - i16 == -7 -> d
            0 - i16 == 3 -> c
            i16 + i32 == 22 -> b
            i16 + i32 + i64 == 3 -> a
            i16 - i32 - i64 == -1 -> a
            i16 * i32 * i64 == 8000 -> b
            i16 + i32 == nil -> n h m
            i16 + i32 != nil -> but n h m
            i16 + 1 > nil ->
            i16 + nil == nil -> all
            i16 * i16 == 49 -> d
            i16 * i16 == 9 -> c m
            i16 + 1 BETWEEN {1, 3} -> z a b
            i16 + 1 IN {1, 2} -> z a
            i16 + 1 IN {j, i32} -> a
            i16 == j - 1 -> n a; a
            i16 * 10 == i32 -> n z b c d; b c d z
            (i16 + i32) * 2 - i64 == 3 -> a
            i64 / 100 == i16 -> n z b c d h; b c d z
            dbl + flt == 5 -> b
            dbl + i16 == 4.5 -> b
            i64 + 1 > 9223372036854775807 -> hi
            i16 & 1 == 1 -> a c d m hi
            i16 & 6 == 6 -> d hi
            i16 | 1 == 3 -> b m
            i16 ^ 1 == 3 -> b
            ~i16 == -2 -> a
            ~~i16 == 2 -> b
            i16 << 2 == 28 -> d
            i32 >> 1 == 35 -> d
            i32 >> 1 == -15 -> c
            i16 & 3 | 8 == 11 -> d m hi
            i16 + 1 << 1 == 16 -> d
            (i16 & 1) + 1 == 2 -> a c d m hi
            bitwiseAnd:with:(i16, 6) == 6 -> d hi
            bitwiseOr:with:(i16, 8) == 10 -> b
            bitwiseXor:with:(i16, 3) == 1 -> b
            leftshift:by:(i16, 1) == 14 -> d
            rightshift:by:(i32, 2) == 17 -> d
            onesComplement:(i16) == -8 -> d
            modulus:by:(i16, 2) == 1 -> a d m hi
            modulus:by:(i16, 2) == -1 -> c
            modulus:by:(i32, 7) == 6 -> b
            i32 %% 7 == 6 -> b
            i16 %% 2 == 0 -> z b lo
            add:to:(i16, 1) == 3 -> b
            from:subtract:(i16, 1) == 1 -> b
            multiply:by:(i16, 3) == 21 -> d
            divide:by:(i32, 10) == 7 -> d
            NOT i16 + 1 > 2 -> n z a c h lo; a c lo z
            2 + 3 * 4 == 14 -> all
            (2 + 3) * 4 == 20 -> all
            10 - 4 - 3 == 3 -> all
            100 / 10 / 5 == 2 -> all
            7 / 2 == 3 -> all
            -7 / 2 == -3 -> all
            2 ** 3 == 8 -> all
            5 & 3 == 1 -> all
            5 | 3 == 7 -> all
            5 ^ 3 == 6 -> all
            1 << 4 == 16 -> all
            1 / 0 > 1e308 -> all
            0.1 + 0.2 == 0.3 ->
            """)
            + [PredicateRow](
                "Sample", ways: .withoutText,
                """
                // Their text is Apple's, which shows 2.0 as 2 and so means a division of integers.
                i16 / 2.0 == 1.5 -> m
                7.0 / 2 == 3.5 -> all
                """) + [
                PredicateRow("Sample", "i16 + %d == %d", "d") { _ in [3, 10] },
                PredicateRow("Sample", "dec + %@ == %@", "m") { _ in [NSDecimalNumber(string: "0.75"), 4] },
            ]
    }

    static var functions: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            abs(i16) == 3 -> c m
            abs:(i16) == 3 -> c m
            abs(i16 - 5) == 2 -> d m
            abs(dbl) == 0.5 -> c
            abs(dec) > 50000 -> lo hi
            abs(i16) == nil -> n h
            length(text) == 5 -> a m
            length:(text) == 5 -> a m
            length(text) == 0 -> z
            length(text) == nil -> n h
            length(text) > 5 -> b c lo hi
            length(text) - length(label) == 3 -> b
            text.length == 5 -> a m
            uppercase(text) == 'APPLE' -> a
            uppercase:(text) == 'BANANA' -> b
            lowercase(text) == 'cherry' -> c
            lowercase(label) == lowercase(text) -> n z a c lo hi; a c hi lo z
            uppercase(text) BEGINSWITH 'A' -> a lo
            uppercase(text) IN {'DATE', 'MELON'} -> d m
            uppercase(next.text) == 'APPLE' -> z
            text.uppercaseString == 'APPLE' -> a
            text.lowercaseString CONTAINS 'cher' -> c
            canonical(text) == 'cherry' -> c
            uppercase('apple') == 'APPLE' -> all
            uppercase(text) == nil -> n h
            noindex(text) == 'apple' -> a
            noindex:(i16) > 2 -> d m hi
            FUNCTION('abc', 'uppercaseString') == 'ABC' -> all
            TERNARY(i16 > 0, i16, 0) == 0 -> n z c h lo
            TERNARY(i16 > 0, i16, 0) == 7 -> d
            TERNARY(flag == YES, text, label) == 'banana' -> b
            TERNARY(flag == YES, text, label) == 'half' -> h
            TERNARY(i16 == nil, 1, 2) == 1 -> n h
            TERNARY(i16 > 0, 'plus', TERNARY(i16 < 0, 'minus', 'none')) == 'minus' -> c lo
            TERNARY(i16 > 0, 'plus', TERNARY(i16 < 0, 'minus', 'none')) == 'none' -> n z h
            TERNARY(i16 > 0, text, nil) == nil -> n z c h lo
            TERNARY(text BEGINSWITH 'a', i16, i32) + 1 == 21 -> b
            i16 + TERNARY(flag == YES, 10, 20) == 12 -> b
            TERNARY(i16 > 0 AND i32 > 0, dbl, dec) == 3.25 -> m
            count({1, 2, 3}) == 3 -> all
            sum({1, 2, 3}) == 6 -> all
            max({1, 5, 3}) == 5 -> all
            min({4, 2, 3}) == i16 -> b
            average({1, 2, 3}) == i16 -> b
            median({1, 2, 9}) == i16 -> b
            abs(-3) == i16 -> m
            sqrt(49) == i16 -> d
            floor(2.7) == i16 -> b
            ceiling(2.2) == i16 -> m
            trunc(-3.9) == i16 -> c
            """)
    }

    static var casts: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            CAST(day, 'NSNumber') == 86400 -> a
            CAST(day, 'NSNumber') > 0 -> a b h hi
            CAST(day, 'NSNumber') == nil -> n d m
            CAST(day, 'NSNumber') / 86400 == 2 -> b
            CAST(day, 'NSNumber') + 43200 == 86400 -> h
            CAST(day, 'NSNumber') BETWEEN {0, 50000} -> z h
            CAST(i32, 'NSDate') == CAST(20, 'NSDate') -> b
            CAST(i32, 'NSDate') < CAST(0, 'NSDate') -> c lo
            CAST(CAST(day, 'NSNumber') + 86400, 'NSDate') == CAST(172800, 'NSDate') -> a
            CAST(CAST(next.day, 'NSNumber') - 86400, 'NSDate') == day -> n m d z a; a z
            CAST(next.day, 'NSNumber') - CAST(day, 'NSNumber') == 86400 -> z a
            CAST(text, 'NSString') == 'apple' -> a
            CAST(i16, 'NSNumber') == 2 -> b
            CAST(dbl, 'NSNumber') == 2.5 -> b
            CAST('2', 'NSNumber') == i16 -> b
            CAST(2, 'NSString') == '2' -> all
            day < now() -> z a b c h lo
            day > now() -> hi
            FUNCTION(CAST(0, 'NSDate'), 'dateByAddingTimeInterval:', 86400) == day -> a
            day BETWEEN {CAST(0, 'NSDate'), now()} -> z a b h
            """)
    }
}
