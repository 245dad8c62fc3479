import CoreData

extension PredicateTable {
    static var dates: [PredicateRow] {
        [PredicateRow](
            "Sample",
            """
            day == CAST(86400, 'NSDate') -> a
            day != CAST(86400, 'NSDate') -> but a; but a d m n
            day < CAST(0, 'NSDate') -> c lo
            day <= CAST(0, 'NSDate') -> z c lo
            day > CAST(86400, 'NSDate') -> b hi
            day >= CAST(86400, 'NSDate') -> a b hi
            CAST(86400, 'NSDate') == day -> a
            CAST(0, 'NSDate') > day -> c lo
            day == nil -> n d m
            day != nil -> but n d m
            day < nil ->
            day BETWEEN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')} -> z a h
            day IN {CAST(0, 'NSDate'), CAST(-86400, 'NSDate')} -> z c
            NOT day < CAST(0, 'NSDate') -> but c lo; a b h hi z
            day == 86400 ->
            day != 86400 -> all; but d m n
            day < 86400 ->
            day == '2001-01-01' ->
            """) + [
                PredicateRow("Sample", "day == %@", "h") { _ in [RealmData.day(0.5)] },
                PredicateRow("Sample", "day == %@", note: "no such day", "") { _ in [RealmData.day(0.25)] },
                PredicateRow("Sample", "day != %@", "but h; but d h m n") { _ in [RealmData.day(0.5)] },
                PredicateRow("Sample", "day > %@ AND day < %@", "h a") { _ in [RealmData.day(0.1), RealmData.day(1.1)]
                },
                PredicateRow("Sample", "day IN %@", "a b") { _ in [[RealmData.day(1), RealmData.day(2)]] },
                PredicateRow("Sample", "day BETWEEN %@", "z a h b") { _ in [[RealmData.day(0), RealmData.day(2)]] },
                PredicateRow("Sample", "day == %@", note: "the distant past", "lo") { _ in [Date.distantPast] },
                PredicateRow("Sample", "day == %@", note: "the distant future", "hi") { _ in [Date.distantFuture] },
                PredicateRow("Sample", "day < %@", note: "the distant future", "z a b c h lo") { _ in
                    [Date.distantFuture]
                },
                PredicateRow("Sample", "day == %@", note: "of NSDate", "a") { _ in [RealmData.day(1) as NSDate] },
            ]
    }

    static var identifiers: [PredicateRow] {
        let equal: [PredicateRow] = [
            PredicateRow("Sample", "uuid == %@", "a") { _ in [RealmValues.u1] },
            PredicateRow("Sample", "uuid != %@", "but a; b hi z") { _ in [RealmValues.u1] },
            PredicateRow("Sample", "%@ == uuid", "b") { _ in [RealmValues.u2] },
            PredicateRow("Sample", "uuid == %@", note: "unknown", "") { _ in [UUID()] },
            PredicateRow("Sample", "uuid == %@", note: "of NSUUID", "a") { _ in [RealmValues.u1 as NSUUID] },
            PredicateRow("Sample", "uuid IN %@", "z b") { _ in [[RealmValues.zeroID, RealmValues.u2]] },
            PredicateRow("Sample", "uuid IN %@", note: "a set", "z b") { _ in
                [Set([RealmValues.zeroID, RealmValues.u2])]
            },
            PredicateRow("Sample", "NOT uuid IN %@", "but z b; a hi") { _ in [[RealmValues.zeroID, RealmValues.u2]] },
            PredicateRow("Sample", "uuid < %@", "z a") { _ in [RealmValues.u2] },
            PredicateRow("Sample", "uuid >= %@", "b hi") { _ in [RealmValues.u2] },
            PredicateRow("Sample", "link == %@", "a") { _ in [URL(string: "http://a.example/x")!] },
            PredicateRow("Sample", "link != %@", "but a; b c hi z") { _ in [URL(string: "http://a.example/x")!] },
            PredicateRow("Sample", "link IN %@", "a hi") { _ in
                [[URL(string: "http://a.example/x")!, URL(string: "urn:hi")!]]
            },
            PredicateRow("Sample", "link < %@", "c z a") { _ in [URL(string: "https://b.example/y")!] },
            PredicateRow("Sample", "bytes == %@", "a", ways: .withoutText) { _ in [Data([1])] },
            PredicateRow("Sample", "bytes != %@", "but a; b c hi z", ways: .withoutText) { _ in [Data([1])] },
            PredicateRow("Sample", "bytes == %@", note: "empty", "z", ways: .withoutText) { _ in [Data()] },
            PredicateRow("Sample", "bytes == %@", note: "of NSData", "b", ways: .withoutText) { _ in
                [Data([1, 2]) as NSData]
            },
            PredicateRow("Sample", "bytes IN %@", "a hi", ways: .withoutText) { _ in
                [[Data([1]), Data([255, 255, 0])]]
            },
            PredicateRow("Sample", "bytes IN %@", note: "with empty data", "a z", ways: .withoutText) { _ in
                [[Data([1]), Data()]]
            },
            PredicateRow("Sample", "NOT bytes IN %@", "but a hi; b c z", ways: .withoutText) { _ in
                [[Data([1]), Data([255, 255, 0])]]
            },
            PredicateRow("Sample", "bytes < %@", "z a b", ways: .withoutText) { _ in [Data([2])] },
            PredicateRow("Sample", "bytes >= %@", "c hi", ways: .withoutText) { _ in [Data([2])] },
        ]
        return equal
            + [PredicateRow](
                "Sample",
                """
                uuid == CAST('11111111-2222-3333-4444-555555555555', 'NSUUID') -> a
                uuid == CAST('aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', 'NSUUID') -> b
                uuid == '11111111-2222-3333-4444-555555555555' ->
                uuid == nil -> n c d h m lo
                uuid != nil -> z a b hi
                uuid < nil ->
                uuid == 5 ->
                link == CAST('urn:hi', 'NSURL') -> hi
                link == 'urn:hi' ->
                link == nil -> n d h m lo
                link != nil -> z a b c hi
                link BEGINSWITH 'http' -> z a b
                link BEGINSWITH 'http:' -> z a
                link ENDSWITH 'example' -> c
                link CONTAINS 'example/' -> z a b
                link CONTAINS[c] 'EXAMPLE' -> z a b c
                link LIKE 'urn:*' -> hi
                link MATCHES 'https?://.*/[xy]' -> a b
                bytes == nil -> n d h m lo
                bytes != nil -> z a b c hi
                bytes == 1 ->
                bytes == '' ->
                """)
    }
}
