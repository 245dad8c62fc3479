/// Format strings with all parts of the language, for the entity `Child` of `SampleModels`.
enum PredicateSamples {
    static let all = [
        #"code == 'x' AND age > 18 OR NOT (weight <= 72.5)"#,
        #"code BEGINSWITH[cd] "Ä\u00e9\n" && price != nil || flag == YES"#,
        #"ANY parts.number > 3 AND NONE parts.doubled IN {1, 2.5, -3, 0x1F, 0b101, 0o17, 1e3, .5}"#,
        #"ALL parts.number BETWEEN {1, 10}"#,
        #"SUBQUERY(parts, $p, $p.number > SELF.age AND $p.owner.code LIKE '*?x').@count > 0"#,
        #"parts.@count == parts.@sum.number"#,
        #"parts.@avg.number >= 2 AND parts.@max.number <> parts.@min.doubled"#,
        #"friend.friend.friends.code CONTAINS[n] 'a'"#,
        #"(age + 3) * -2 - age / 4.0 ** 2 == ~age & 7 | 1 ^ 2 << 3 >> 1"#,
        #"modulus:by:(age, 5) == length(code) AND abs(age) < sqrt(16)"#,
        #"TERNARY(age > 3, uppercase(code), lowercase:(code)) MATCHES '[a-z]+(b|c)*'"#,
        #"born < CAST(12345.5, "NSDate") AND born > now()"#,
        #"identifier == CAST('00000000-0000-0000-0000-000000000001', 'NSUUID')"#,
        #"link == CAST("https://example.org", "NSURL")"#,
        #"photo == CAST("AQID", "NSData")"#, #"FUNCTION(code, 'lowercaseString') ==[c] 'x'"#,
        #"parts[FIRST].number == parts[LAST].number"#,
        #"parts[SIZE] > 2 AND parts[0].number == 1"#, #"{1, 2} UNION {3} INTERSECT {2, 3} MINUS {$x} == {2}"#,
        #"#size == $NAME.#first.last"#,
        #"'%@' IN code AND 18446744073709551615 > -9223372036854775808"#, #"TRUEPREDICATE OR FALSEPREDICATE"#,
        #"SELF == nil OR SELF IN friends"#,
        #"""
        count:(parts) == sum:(parts.number) + average(parts.number) + median({1, 2, 3}) + stddev({1, 2}) + \#
        mode({1})[0]
        """#,
        #"FETCH($request, $context, YES) > 0"#, #"FUNCTION(SELF, "valueForKeyPath:", "no name") == <null>"#,
        #"ANYKEY CONTAINS 'x'"#,
        #"""
        code IN[cd] {"a", 'b', "\ud83d\ude00\x41"} AND friends.@distinctUnionOfObjects.code == \#
        parts.@unionOfArrays.number
        """#,
    ]
    static let words = [
        "AND", "or", "NOT", "!", "&&", "||", "ANY", "NONE", "ALL", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES",
        "CONTAINS", "[cdnl]", "==", "=<", "<>",
        "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "FETCH(", "SELF", "nil", "YES", "TRUEPREDICATE", "UNION", "#",
        "$x", "%@", "%K", "%d", "@count",
        "[FIRST]", "[SIZE]", "[", "]", "{", "}", "(", ")", "'", "\"", "\\", "\\u00", "0x", "1e", ".", ",", "-", "~",
        "**", "parts", "friends.code",
        "modulus:by:(", "sum(", "now()", "random(3)", "\u{301}", "é", "\u{1F600}",
    ]
}
