import CoreData

extension PredicateTable {
    static var integers: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            i16 == 2 -> b
            i16 = 2 -> b
            i16 != 2 -> but b; but b h n
            i16 <> 2 -> but b; but b h n
            i16 < 2 -> z a c lo
            i16 <= 2 -> z a b c lo
            i16 =< 2 -> z a b c lo
            i16 > 2 -> d m hi
            i16 >= 2 -> b d m hi
            i16 => 2 -> b d m hi
            2 == i16 -> b
            2 > i16 -> z a c lo
            2 <= i16 -> b d m hi
            i16 == nil -> n h
            i16 == NULL -> n h
            i16 != nil -> but n h
            i16 < nil ->
            i16 <= nil ->
            i16 > nil ->
            i16 >= nil ->
            nil == i16 -> n h
            nil != i16 -> but n h
            nil < i16 ->
            i16 BETWEEN {0, 3} -> z a b m
            i16 BETWEEN {3, 0} ->
            i16 BETWEEN {2, 2} -> b
            i16 BETWEEN {nil, 3} ->
            NOT i16 BETWEEN {0, 3} -> n c d h lo hi; c d hi lo
            i16 IN {1, 3, 9} -> a m
            i16 IN {1, nil} -> a
            i16 IN {nil} ->
            i16 IN {} ->
            NOT i16 IN {1, 3, 9} -> but a m; but a h m n
            NOT i16 IN {} -> all; but h n
            NOT i16 == 2 -> but b; but b h n
            NOT i16 != 2 -> b
            NOT i16 < 2 -> n b d h m hi; b d hi m
            NOT i16 == nil -> but n h
            i16 == 32767 -> hi
            i16 == -32768 -> lo
            i16 < -32768 ->
            i16 > 32766 -> hi
            i16 == 2.0 -> b
            i16 == 2.5 ->
            i16 > 2.5 -> d m hi
            i16 < 100000 -> but n h
            i16 == 99999999999 ->
            i16 < 'x' ->
            i16 == YES -> a
            i16 == NO -> z
            i32 == 20 -> b
            i32 != 20 -> but b; but b m n
            i32 < 5 -> z a c lo
            i32 <= 5 -> z a c h lo
            i32 > 5 -> b d hi
            i32 >= 5 -> b d h hi
            i32 == nil -> n m
            i32 != nil -> but n m
            i32 IN {5, 70} -> h d
            i32 BETWEEN {-30, 1} -> c z a
            i32 == 2147483647 -> hi
            i32 == -2147483648 -> lo
            i32 > 2147483647 ->
            i64 == 200 -> b
            i64 != 200 -> but b; but b h n
            i64 < 3 -> z a c lo
            i64 <= 3 -> z a c m lo
            i64 > 3 -> b d hi
            i64 >= 3 -> b d m hi
            i64 == nil -> n h
            i64 != nil -> but n h
            i64 IN {3, -300} -> m c
            i64 BETWEEN {-300, 200} -> c z a m b
            i64 == 9223372036854775807 -> hi
            i64 > 9223372036854775806 -> hi
            i64 < 9223372036854775807 -> but n h hi
            i64 == -9223372036854775808 -> lo
            i64 < 1e300 -> but n h
            i64 > -1e300 -> but n h
            i64 == 7e2 -> d
            i64 == 18446744073709551615 ->
            i64 < 18446744073709551615 -> but n h
            """) + [
                PredicateRow("Sample", "i16 == %d", "b") { _ in [2] },
                PredicateRow("Sample", "i16 == %@", "b") { _ in [NSNumber(value: 2)] },
                PredicateRow("Sample", "i16 == %@", note: "a real", "b") { _ in [NSNumber(value: 2.0)] },
                PredicateRow("Sample", "i64 == %lld", "hi") { _ in [Int64.max] },
                PredicateRow("Sample", "i64 < %ld", "z a c lo") { _ in [3] },
                PredicateRow("Sample", "i16 == %@", note: "null", "n h") { _ in [NSNull()] },
                PredicateRow("Sample", "i16 != %@", note: "null", "but n h") { _ in [NSNull()] },
                PredicateRow("Sample", "i16 IN %@", "a m") { _ in [[1, 3, 9]] },
                PredicateRow("Sample", "i16 IN %@", note: "a set", "a m") { _ in [NSSet(array: [1, 3, 9])] },
                PredicateRow("Sample", "i16 IN %@", note: "an ordered set", "a m") { _ in
                    [NSOrderedSet(array: [1, 3, 9])]
                },
                PredicateRow("Sample", "i16 IN %@", note: "with null", "a") { _ in [[1, NSNull()] as [Any]] },
                PredicateRow("Sample", "i64 IN %@", note: "ten thousand", "z a b d m") { _ in [Array(0..<10_000)] },
                PredicateRow("Sample", "i16 BETWEEN %@", "z a b m") { _ in [[0, 3]] },
                PredicateRow("Sample", "%@ CONTAINS i16", "a m") { _ in [[1, 3]] },
            ]
    }

    /// A fetch compares numbers with texts that are numbers, as SQLite does. In memory, the two are never equal.
    static var textsAsNumbers: [PredicateRow] {
        [PredicateRow](
            "Sample", ways: .fetchOnly,
            """
            i16 == '2' -> b
            i16 != '2' -> but b; but b h n
            '2' == i16 -> b
            i16 < '2' -> z a c lo
            i16 IN {'1', '3', '9'} -> a m
            i16 BETWEEN {'0', '3'} -> z a b m
            i16 == ' 2 ' -> b
            i16 == '2.0' -> b
            i16 == '2x' ->
            i16 == '' ->
            dbl == '1' -> a
            dbl > '1e0' -> b d hi
            dec == '3.25' -> m
            """)
    }

    static var reals: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            dbl == 2.5 -> b
            dbl != 2.5 -> but b; but b m n
            dbl < 1 -> z c h lo
            dbl <= 1 -> z a c h lo
            dbl > 1 -> b d hi
            dbl >= 1 -> a b d hi
            dbl == nil -> n m
            dbl != nil -> but n m
            dbl > nil ->
            dbl == 0.1 -> h
            dbl == .1 -> h
            dbl == 1e-1 -> h
            dbl == 1e300 -> hi
            dbl == -1e300 -> lo
            dbl == 0 -> z
            dbl == -0.0 -> z
            dbl == 1 -> a
            dbl IN {1, 2.5, 7.75} -> a b d
            dbl BETWEEN {0, 1} -> z a h
            NOT dbl < 1 -> n a b d m hi; a b d hi
            flt == 2.5 -> b
            flt != 2.5 -> but b; but b m n
            flt < 1 -> z c h lo
            flt <= 0 -> z c lo
            flt > 7 -> d hi
            flt >= 7.75 -> d hi
            flt == nil -> n m
            flt != nil -> but n m
            flt IN {-0.5, 0} -> c z
            flt BETWEEN {-0.5, 1} -> c z h a
            // The nearest float is a little more than a tenth.
            flt == 0.1 ->
            flt > 0.1 -> a b d h hi
            dec == 2.5 -> b
            dec != 2.5 -> but b; but b n
            dec < 1 -> z c h lo
            dec <= 1 -> z a c h lo
            dec > 3 -> d m hi
            dec >= 3.25 -> d m hi
            dec == nil -> n
            dec != nil -> but n
            dec == 19.99 -> d
            dec == 0.1 -> h
            dec == -99999.99 -> lo
            dec IN {0.1, 3.25} -> h m
            dec BETWEEN {-0.25, 0.1} -> c z h
            dec == 1 -> a
            NOT dec > 0 -> n z c lo; c lo z
            """) + [
                PredicateRow("Sample", "flt == %@", note: "a float", "h") { _ in [NSNumber(value: Float(0.1))] },
                PredicateRow("Sample", "dec == %@", "h") { _ in [NSDecimalNumber(string: "0.1")] },
                PredicateRow("Sample", "dec > %@", "d hi") { _ in [NSDecimalNumber(string: "3.25")] },
                PredicateRow("Sample", "dec IN %@", "d h") { _ in
                    [[NSDecimalNumber(string: "19.99"), NSDecimalNumber(string: "0.1")]]
                },
                PredicateRow("Sample", "dbl == %f", "b") { _ in [2.5] },
                PredicateRow("Sample", "dbl == %@", note: "a decimal", "h") { _ in [NSDecimalNumber(string: "0.1")] },
                PredicateRow("Sample", "dbl < %@", note: "infinity", "but n m") { _ in [Double.infinity] },
                PredicateRow("Sample", "dbl > %@", note: "minus infinity", "but n m") { _ in [-Double.infinity] },
                PredicateRow("Sample", "dbl == %@", note: "not a number", "") { _ in [Double.nan] },
                PredicateRow("Sample", "dbl != %@", note: "not a number", "all; but m n") { _ in [Double.nan] },
                PredicateRow("Sample", "dbl < %@", note: "not a number", "") { _ in [Double.nan] },
            ]
    }

    static var booleans: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            flag == YES -> a b d hi
            flag == NO -> z c lo
            flag == true -> a b d hi
            flag == FALSE -> z c lo
            flag == 1 -> a b d hi
            flag == 0 -> z c lo
            flag == 2 ->
            flag != YES -> n z c h m lo; c lo z
            flag != NO -> n a b d h m hi; a b d hi
            flag == nil -> n h m
            flag != nil -> but n h m
            flag > NO -> a b d hi
            flag < YES -> z c lo
            flag >= NO -> but n h m
            flag IN {YES} -> a b d hi
            flag IN {YES, NO} -> but n h m
            NOT flag == YES -> n z c h m lo; c lo z
            NOT flag == nil -> but n h m
            flag == i16 -> n z a h; a z
            flag BETWEEN {0, 1} -> but n h m
            """) + [
                PredicateRow("Sample", "flag == %@", "a b d hi") { _ in [true] },
                PredicateRow("Sample", "flag == %d", "z c lo") { _ in [0] },
                PredicateRow("Sample", "flag == %@", note: "a number object", "z c lo") { _ in [NSNumber(value: false)]
                },
            ]
    }
}
