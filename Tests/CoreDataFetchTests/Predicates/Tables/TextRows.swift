extension PredicateTable {
    static var texts: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            text == 'apple' -> a
            text == 'Apple' ->
            text ==[c] 'APPLE' -> a
            text ==[d] 'apple' -> a
            text ==[cd] 'APPLE' -> a
            text ==[n] 'apple' -> a
            text ==[n] 'Apple' ->
            text ==[cn] 'Apple' ->
            text ==[l] 'apple' -> a
            text ==[l] 'Apple' ->
            text ==[cl] 'Apple' -> a
            text ==[cdl] 'ÀPPLE' -> a
            text != 'apple' -> but a; but a h n
            text !=[c] 'APPLE' -> but a; but a h n
            text == '' -> z
            text != '' -> but z; but h n z
            text == nil -> n h
            text != nil -> but n h
            text ==[c] nil -> n h
            text !=[cd] nil -> but n h
            text < 'b' -> z a c lo
            text <= 'banana' -> z a b c lo
            text > 'date' -> m hi
            text >= 'date' -> d m hi
            text <[c] 'c' -> z a b lo
            text <=[c] 'CHERRY' -> z a b c lo
            text >[c] 'CHERRY' -> d m hi
            text >=[cd] 'CHERRY' -> c d m hi
            text < nil ->
            text >[c] nil ->
            'b' > text -> z a c lo
            text BETWEEN {'a', 'c'} -> a b lo
            text BETWEEN {'C', 'b'} -> a c lo
            text BEGINSWITH 'a' -> a lo
            text BEGINSWITH 'A' ->
            text BEGINSWITH[c] 'A' -> a lo
            text BEGINSWITH[cd] 'Á' -> a lo
            text BEGINSWITH[n] 'A' ->
            text BEGINSWITH '' -> but n h
            text BEGINSWITH nil ->
            text ENDSWITH 'e' -> a d
            text ENDSWITH 'E' ->
            text ENDSWITH[c] 'E' -> a d
            text ENDSWITH[c] 'Y' -> c
            text ENDSWITH '' -> but n h
            text ENDSWITH nil ->
            text CONTAINS 'an' -> b
            text CONTAINS 'a' -> a b d lo
            text CONTAINS[c] 'CH' -> c
            text CONTAINS[d] 'é' -> a c d m
            text CONTAINS 'zz t' -> hi
            text CONTAINS '' -> but n h
            text CONTAINS nil ->
            NOT text CONTAINS 'a' -> but a b d lo; c hi m z
            NOT text BEGINSWITH[c] 'A' -> but a lo; but a h lo n
            NOT text ENDSWITH 'e' -> but a d; but a d h n
            'an' IN text -> b
            'AN' IN[c] text -> b
            text IN 'banana split' -> z b
            text IN {'apple', 'date', 'none'} -> a d
            text IN[c] {'APPLE', 'cherry'} -> a c
            text IN[cd] {'Äpple'} -> a
            text IN {''} -> z
            text IN {nil, 'apple'} -> a
            text IN {} ->
            text IN nil ->
            NOT text IN {'apple', 'date'} -> but a d; but a d h n
            NOT text IN[c] {'CHERRY'} -> but c; but c h n
            text == 5 ->
            text != 5 -> all; but h n
            text CONTAINS 5 ->
            'apple pie' BEGINSWITH text -> z a
            'My APPLE' ENDSWITH[c] text -> z a
            'a date' CONTAINS text -> z d
            """)
    }

    /// Bytes count unless options fold; `[c]` folds fully, `[d]` takes marks away.
    static var scripts: [PredicateRow] {
        [PredicateRow](
            "Word",
            #"""
            text == 'cafe' -> cafe
            text ==[c] 'cafe' -> cafe
            text ==[d] 'cafe' -> cafe cafeC cafeD
            text ==[cd] 'cafe' -> cafe cafeC cafeD cafeU
            text == 'caf\u00e9' -> cafeC
            text == 'cafe\u0301' -> cafeD
            text ==[n] 'caf\u00e9' -> cafeC
            text ==[cd] 'CAF\u00c9' -> cafe cafeC cafeD cafeU
            text ==[d] 'caf\u00e9' -> cafe cafeC cafeD
            text != 'cafe' -> but cafe; but cafe none
            text !=[d] 'cafe' -> but cafe cafeC cafeD; but cafe cafeC cafeD none
            text BEGINSWITH 'caf' -> cafe cafeC cafeD
            text BEGINSWITH[c] 'CAF' -> cafe cafeC cafeD cafeU
            text BEGINSWITH[cd] 'CAFE' -> cafe cafeC cafeD cafeU
            text ENDSWITH '\u00e9' -> cafeC
            text ENDSWITH[d] 'fe' -> cafe cafeC cafeD
            text ENDSWITH[cd] 'f\u00e9' -> cafe cafeC cafeD cafeU
            text CONTAINS[cd] 'E' -> cafe cafeC cafeD cafeU strasse strasze STRASSE lines
            text LIKE[cd] 'c?fe' -> cafe cafeC cafeD cafeU
            text MATCHES[cd] 'c.fe' -> cafe cafeC cafeD cafeU
            text IN[cd] {'CAFE'} -> cafe cafeC cafeD cafeU
            text ==[c] 'strasse' -> strasse strasze STRASSE
            text ==[c] 'STRA\u00dfE' -> strasse strasze STRASSE
            text == 'stra\u00dfe' -> strasze
            text CONTAINS '\u00df' -> strasze
            text CONTAINS[c] 'SS' -> strasse strasze STRASSE
            text ==[c] 'istanbul' -> ist IST
            text ==[cd] 'istanbul' -> ist IST istDot
            text == '\u0130stanbul' -> istDot
            text == '\u0131stanbul' -> istNone
            text ENDSWITH[c] 'STANBUL' -> ist IST istDot istNone
            text == '\U0001F44D' -> thumb
            text == '👍' -> thumb
            text BEGINSWITH '👍' -> thumb thumbTone
            text CONTAINS '\U0001F3FD' -> thumbTone
            text ==[cd] '👍' -> thumb
            text == '👩‍👩‍👧' -> family
            text CONTAINS '\u200D' -> family
            text BEGINSWITH '👩' -> family
            text LIKE '?' -> thumb
            text LIKE '??' -> thumbTone hanC
            text == '\uD55C\uAE00' -> hanC
            text BEGINSWITH '\u1112' -> hanD
            text == '日本語' -> nihongo
            text CONTAINS '本' -> nihongo
            text LIKE '日*' -> nihongo
            text MATCHES '\\p{Han}+' -> nihongo
            text == 'שלום' -> shalom
            text BEGINSWITH 'ש' -> shalom
            text CONTAINS[cd] 'ל' -> shalom
            text == 'مرحبا' -> marhaba
            text ENDSWITH 'با' -> marhaba
            text == '' -> empty
            text == nil -> none
            text > '\u3000' -> thumb thumbTone family hanC nihongo find
            text < 'J' -> empty cafeU IST percent
            length(text) == 2 -> thumb hanC
            length(text) == 8 -> ist IST istDot istNone family
            text.length == 6 -> strasze hanD
            lowercase(text) == 'strasse' -> strasse STRASSE
            uppercase(text) == 'STRASSE' -> strasse strasze STRASSE
            uppercase(text) == 'ISTANBUL' -> ist IST istNone
            lowercase(text) == 'caf\u00e9' -> cafeC cafeU
            canonical(text) == 'cafe' -> cafe cafeC cafeD cafeU
            """#)
    }

    static var patterns: [PredicateRow] {
        [PredicateRow](
            "Sample",
            #"""
            text LIKE 'a*' -> a lo
            text LIKE '*an*' -> b
            text LIKE '*a' -> b
            text LIKE '?ate' -> d
            text LIKE '????' -> d
            text LIKE '*' -> but n h
            text LIKE '?*' -> but n h z
            text LIKE '' -> z
            text LIKE 'apple' -> a
            text LIKE 'app' ->
            text LIKE 'CH*' ->
            text LIKE[c] 'ch*Y' -> c
            text LIKE[cd] 'ÇH?RRY' -> c
            text LIKE[n] 'ch*' ->
            text LIKE nil ->
            text LIKE label -> z a
            text LIKE[c] label -> z a c lo hi
            'apple' LIKE text -> a
            NOT text LIKE '*a*' -> but a b d lo; c hi m z
            text LIKE '*.*' ->
            text LIKE '[a-z]*' ->
            text MATCHES 'a.*' -> a lo
            text MATCHES '[a-d].*e' -> a d
            text MATCHES '.*' -> but n h
            text MATCHES '' -> z
            text MATCHES 'an' ->
            text MATCHES '(ba|me)(nana|lon)' -> b m
            text MATCHES 'apple|date' -> a d
            text MATCHES[c] 'CHERRY' -> c
            text MATCHES '(?i)cherry' -> c
            text MATCHES[c] '^[A-C].*[EY]$' -> a c
            text MATCHES '\\w{5}' -> a m
            text MATCHES '\\w+\\s\\w+' -> hi
            text MATCHES '.*(.)\\1.*' -> a c lo hi
            text MATCHES[d] 'd\u00e4te' -> d
            text MATCHES[n] 'Apple' ->
            text MATCHES nil ->
            NOT text MATCHES '.*a.*' -> but a b d lo; c hi m z
            label MATCHES text -> z a
            text MATCHES label -> z a
            """#)
            + [PredicateRow](
                "Word",
                #"""
                text LIKE 'a\\*b\\?c' -> stars
                text LIKE 'a*c' -> stars
                text LIKE '*\\*' ->
                text LIKE '*%' -> percent
                text LIKE '100%' -> percent
                text LIKE 'line?break' -> lines
                text MATCHES 'line.break' ->
                text MATCHES 'line\\nbreak' -> lines
                text MATCHES '(?s)line.break' -> lines
                text MATCHES '\\d+%' -> percent
                text MATCHES 'a\\*b\\?c' -> stars
                text == 'a*b?c' -> stars
                text == '100%' -> percent
                text CONTAINS '%' -> percent
                text CONTAINS '_' ->
                text == 'line\nbreak' -> lines
                text CONTAINS '\n' -> lines
                text == 'tab\t"\'\\' -> quotes
                text == "tab\t\"'\\" -> quotes
                text CONTAINS '"' -> quotes
                text CONTAINS "'" -> quotes
                text CONTAINS '\\' -> quotes
                text ENDSWITH '\\' -> quotes
                text LIKE '*\\\\' -> quotes
                text == 'x\' OR 1 == 1' ->
                text == '; DROP TABLE ZWORD; --' ->
                """#)
    }
}
