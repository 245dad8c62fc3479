import CoreData

/// The objects whose values matter: attributes of every type, and texts of many scripts.
enum RealmValues {
    static let u1 = UUID(uuidString: "11111111-2222-3333-4444-555555555555")!
    static let u2 = UUID(uuidString: "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE")!
    /// The ID of no object.
    static let other = UUID(uuidString: "12345678-2222-3333-4444-555555555555")!
    static let zeroID = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
    static let fullID = UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")!

    /// | | i16 | i32 | i64 | dbl | dec | flag | day | text | label | j | next |
    /// | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    /// | n | | | | | | | | | | | |
    /// | z | 0 | 0 | 0 | 0 | 0 | no | 0 | (empty) | (empty) | 0 | a |
    /// | a | 1 | 1 | 1 | 1 | 1 | yes | 1 | apple | apple | 2 | b |
    /// | b | 2 | 20 | 200 | 2.5 | 2.5 | yes | 2 | banana | ban | 2 | c |
    /// | c | -3 | -30 | -300 | -0.5 | -0.25 | no | -1 | Cherry | cherry | -3 | |
    /// | d | 7 | 70 | 700 | 7.75 | 19.99 | yes | | date | | | d |
    /// | h | | 5 | | 0.1 | 0.1 | | 0.5 | | half | 5 | n |
    /// | m | 3 | | 3 | | 3.25 | | | melon | lemon | 3 | |
    /// | lo | min | min | min | -1e300 | -99999.99 | no | past | aardvark | Aardvark | min | |
    /// | hi | max | max | max | 1e300 | 99999.99 | yes | future | zz top | ZZ TOP | max | |
    static func samples(_ make: inout RealmBuilder) {
        func day(_ days: Double) -> Date { RealmData.day(days) }
        func decimal(_ text: String) -> NSDecimalNumber { RealmData.decimal(text) }
        make("Sample", "n")
        make(
            "Sample", "z",
            [
                "i16": 0, "i32": 0, "i64": 0, "dbl": 0, "flt": 0, "dec": decimal("0"), "flag": false, "day": day(0),
                "text": "", "label": "",
                "uuid": zeroID, "link": URL(string: "http://a.example/")!, "bytes": Data(), "j": 0,
            ])
        make(
            "Sample", "a",
            [
                "i16": 1, "i32": 1, "i64": 1, "dbl": 1, "flt": 1, "dec": decimal("1"), "flag": true, "day": day(1),
                "text": "apple", "label": "apple",
                "uuid": u1, "link": URL(string: "http://a.example/x")!, "bytes": Data([1]), "j": 2,
            ])
        make(
            "Sample", "b",
            [
                "i16": 2, "i32": 20, "i64": 200, "dbl": 2.5, "flt": 2.5, "dec": decimal("2.5"), "flag": true,
                "day": day(2), "text": "banana",
                "label": "ban", "uuid": u2, "link": URL(string: "https://b.example/y")!, "bytes": Data([1, 2]), "j": 2,
            ])
        make(
            "Sample", "c",
            [
                "i16": -3, "i32": -30, "i64": -300, "dbl": -0.5, "flt": -0.5, "dec": decimal("-0.25"), "flag": false,
                "day": day(-1),
                "text": "Cherry", "label": "cherry", "link": URL(string: "ftp://c.example")!, "bytes": Data([2]),
                "j": -3,
            ])
        make(
            "Sample", "d",
            [
                "i16": 7, "i32": 70, "i64": 700, "dbl": 7.75, "flt": 7.75, "dec": decimal("19.99"), "flag": true,
                "text": "date",
            ])
        make(
            "Sample", "h",
            ["i32": 5, "dbl": 0.1, "flt": Float(0.1), "dec": decimal("0.1"), "day": day(0.5), "label": "half", "j": 5])
        make("Sample", "m", ["i16": 3, "i64": 3, "dec": decimal("3.25"), "text": "melon", "label": "lemon", "j": 3])
        make(
            "Sample", "lo",
            [
                "i16": Int16.min, "i32": Int32.min, "i64": Int64.min, "dbl": -1e300, "flt": Float(-1e30),
                "dec": decimal("-99999.99"), "flag": false,
                "day": Date.distantPast, "text": "aardvark", "label": "Aardvark", "j": Int64.min,
            ])
        make(
            "Sample", "hi",
            [
                "i16": Int16.max, "i32": Int32.max, "i64": Int64.max, "dbl": 1e300, "flt": Float(1e30),
                "dec": decimal("99999.99"), "flag": true,
                "day": Date.distantFuture, "text": "zz top", "label": "ZZ TOP", "uuid": fullID,
                "link": URL(string: "urn:hi")!,
                "bytes": Data([255, 255, 0]), "j": Int64.max,
            ])
        make.point("z", "next", "a")
        make.point("a", "next", "b")
        make.point("b", "next", "c")
        make.point("d", "next", "d")
        make.point("h", "next", "n")
    }

    static func words(_ make: inout RealmBuilder) {
        let words: [(String, String?)] = [
            ("none", nil), ("empty", ""), ("cafe", "cafe"), ("cafeC", "caf\u{E9}"), ("cafeD", "cafe\u{301}"),
            ("cafeU", "CAF\u{C9}"),
            ("strasse", "strasse"), ("strasze", "stra\u{DF}e"), ("STRASSE", "STRASSE"), ("ist", "istanbul"),
            ("IST", "ISTANBUL"),
            ("istDot", "\u{130}stanbul"), ("istNone", "\u{131}stanbul"), ("thumb", "\u{1F44D}"),
            ("thumbTone", "\u{1F44D}\u{1F3FD}"),
            ("family", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"), ("hanC", "\u{D55C}\u{AE00}"),
            ("hanD", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("nihongo", "\u{65E5}\u{672C}\u{8A9E}"),
            ("shalom", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"), ("marhaba", "\u{645}\u{631}\u{62D}\u{628}\u{627}"),
            ("stars", "a*b?c"),
            ("percent", "100%"), ("lines", "line\nbreak"), ("quotes", "tab\t\"'\\"), ("find", "\u{FB01}nd"),
        ]
        for (name, text) in words { make("Word", name, text.map { ["text": $0] } ?? [:]) }
    }
}
