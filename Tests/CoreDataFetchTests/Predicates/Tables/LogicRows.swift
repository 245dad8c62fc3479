extension PredicateTable {
    /// A missing value makes a comparison false, never unknown: NOT of it is true.
    static var logic: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            i16 > 0 AND i32 > 0 -> a b d hi
            i16 > 0 OR i32 > 0 -> a b d h m hi
            NOT (i16 > 0 AND i32 > 0) -> but a b d hi; c lo z
            NOT (i16 > 0 OR i32 > 0) -> n z c lo; c lo z
            NOT (NOT (i16 > 0)) -> a b d m hi
            NOT NOT i16 > 0 -> a b d m hi
            NOT (i16 > 0) AND NOT (i16 <= 0) -> n h;
            i16 > 0 OR NOT i16 > 0 -> all; but h n
            i16 > 0 AND NOT i16 > 0 ->
            i16 == 2 OR i16 == nil -> n b h
            i16 != 2 AND i16 != nil -> z a c d m lo hi
            NOT (i16 == 2 AND text == 'banana') -> but b; but b h n
            NOT (i16 == 2 OR text == 'apple') -> but a b; but a b h n
            NOT (text CONTAINS 'a' AND flag == YES) -> but a b d; c hi lo m z
            NOT (flag == YES OR text == nil) -> z c m lo; c lo z
            NOT (i16 < 0 OR text BEGINSWITH 'a') -> but a c lo; b d hi m z
            i16 > 0 AND i16 < 5 AND flag == YES -> a b
            i16 == 1 OR i16 == 2 AND flag == NO -> a
            (i16 == 1 OR i16 == 2) AND flag == NO ->
            (i16 == 1 OR i16 == 2) AND flag == YES -> a b
            flag == NO AND i16 == 2 OR i16 == 1 -> a
            NOT i16 == 1 AND i16 < 2 -> z c lo
            NOT (i16 == 1) OR i16 == 1 -> all; but h n
            i16 == 1 || i16 == 2 -> a b
            i16 >= 1 && i16 <= 2 -> a b
            !(i16 == 1) -> but a; but a h n
            ! i16 == 1 -> but a; but a h n
            !(i16 > 0) && !(i16 <= 0) -> n h;
            i16 == 1 || i16 == 2 && flag == NO -> a
            ((((i16 == 1)))) -> a
            NOT (((i16 == 1))) -> but a; but a h n
            TRUEPREDICATE -> all
            FALSEPREDICATE ->
            NOT TRUEPREDICATE ->
            NOT FALSEPREDICATE -> all
            i16 == 1 OR TRUEPREDICATE -> all
            i16 == 1 AND TRUEPREDICATE -> a
            i16 == 1 AND FALSEPREDICATE ->
            i16 == 1 OR FALSEPREDICATE -> a
            NOT (i16 == 1 OR FALSEPREDICATE) -> but a; but a h n
            1 == 1 -> all
            1 == 2 ->
            nil == nil -> all
            nil != nil ->
            nil < nil ->
            'a' < 'b' -> all
            'a' ==[c] 'A' -> all
            5 BETWEEN {1, 9} -> all
            'x' IN {'x', 'y'} -> all
            'z' IN {'x', 'y'} ->
            'apple' CONTAINS 'pp' -> all
            1 == 1 AND i16 == 1 -> a
            1 == 2 OR i16 == 1 -> a
            NOT (next.i16 > 0) -> but z a d; b
            next.i16 > 0 AND NOT next.flag == NO -> z a d
            NOT (next.text == 'banana' OR next == nil) -> z b d h; b d z
            (i16 > 0 AND flag == YES) OR (i32 > 0 AND NOT flag == YES) -> a b d h hi; a b d hi
            """)
    }

    static var keys: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            i16 == i32 -> n z a; a z
            i16 != i32 -> but n z a; b c d hi lo
            i16 < i32 -> b d hi
            i16 > i32 -> c lo
            i16 <= i32 -> z a b d hi
            i16 >= i32 -> z a c lo
            i64 == j -> n z m lo hi; hi lo m z
            i64 != j -> a b c d h; a b c
            i64 > j -> b
            i64 < j -> a c
            NOT i64 > j -> but b; but b d h n
            i16 == dbl -> n z a; a z
            dbl == flt -> n z a b c d m; a b c d z
            dbl == dec -> n z a b h; a b h z
            dec > dbl -> c d lo
            dec < dbl -> hi
            i16 == i16 -> all; but h n
            i16 != i16 ->
            i16 < i16 ->
            i16 <= i16 -> but n h
            uuid == uuid -> all; a b hi z
            link == link -> all; a b c hi z
            bytes == bytes -> all; a b c hi z
            day == day -> all; but d m n
            i16 IN {i32, j} -> z a b c m
            i16 BETWEEN {0, j} -> z a b m hi
            j BETWEEN {i16, i32} -> z b
            i16 BETWEEN {i32, 5} -> z a c lo
            text IN {label, 'melon'} -> z a m
            text == label -> n z a; a z
            text != label -> but n z a; b c hi lo m
            text ==[c] label -> n z a c lo hi; a c hi lo z
            text !=[c] label -> b d h m; b m
            text < label -> c
            text > label -> b m lo hi
            text <[c] label ->
            text >[c] label -> b m
            text BEGINSWITH label -> z a b
            text BEGINSWITH[c] label -> z a b c lo hi
            text ENDSWITH[cd] label -> z a c lo hi
            text CONTAINS label -> z a b
            label IN text -> z a b
            label IN[c] text -> z a b c lo hi
            NOT text CONTAINS label -> but z a b; c hi lo m
            day == next.day -> n d m;
            day < next.day -> z a
            flag == next.flag -> n a d h m; a d
            text < next.text -> z a
            text == next.label -> n h;
            i16 == text -> n h;
            uuid == link -> n d h m lo;
            day == i16 -> n;
            text == uuid -> n h;
            """)
    }
}
