import CoreData
import Testing

@Suite("Values at the edges of their types")
struct EdgeValueTests {
    private func makeModel() -> NSManagedObjectModel {
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        return model([
            entity(
                "Value",
                [
                    attribute("name", .stringAttributeType), attribute("exact", .decimalAttributeType),
                    attribute("real", .doubleAttributeType),
                    attribute("single", .floatAttributeType), attribute("uuid", .UUIDAttributeType),
                    attribute("link", .URIAttributeType), photo,
                    attribute("flag", .booleanAttributeType),
                ])
        ])
    }

    private func roundTrip(_ kind: StoreKind, _ key: String, _ value: Any) throws -> Any? {
        var result: Any?
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Value", "v", [key: value])
            try stack.context.save()
            try inFreshContext(stack) { result = try $0.one("Value", "v").value(forKey: key) }
        }
        return result
    }

    @Test(
        "decimals with the digits of a double come back as the saving context shows them",
        arguments: StoreKind.everyKind)
    func decimalsOfDoubles(_ kind: StoreKind) throws {
        for text in [
            "12345678901234.56", "0.1234567890123456", "-0.1234567890123456", "0.30000000000000004",
            "1234567890123456.5",
            "1.234567890123456e25",
        ] {
            let value = NSDecimalNumber(string: text)
            let found = try requireValue(try roundTrip(kind, "exact", value) as? NSDecimalNumber)
            expectEqual(found, value, "\(text)")
        }
    }

    @Test("decimals of up to 15 digits, and whole ones of 64 bits, come back exactly", arguments: StoreKind.everyKind)
    func decimals(_ kind: StoreKind) throws {
        for text in [
            "0", "-0.01", "0.1", "123456789.123456", "-99999999999999.9", "9223372036854775807", "-9223372036854775808",
            "1e-20", "5e100",
        ] {
            let value = NSDecimalNumber(string: text)
            let found = try requireValue(try roundTrip(kind, "exact", value) as? NSDecimalNumber)
            expectEqual(found, value, "\(text)")
        }
    }

    @Test("decimals as large as they can be come back", arguments: StoreKind.everyKind)
    func largeDecimals(_ kind: StoreKind) throws {
        for (digits, zeros) in [("1", 127), ("-25", 126), ("1", 128), ("-25", 150), ("34", 164)] {
            // Foundation reads no exponent beyond 127.
            let value = try requireValue(Decimal(string: digits + String(repeating: "0", count: zeros)))
            let found = try requireValue(try roundTrip(kind, "exact", value) as? NSDecimalNumber)
            expectEqual(found.decimalValue, value, "\(value)")
        }
    }

    @Test("a decimal has all digits of the number that it is set to", arguments: StoreKind.everyKind)
    func decimalsOfNumbers(_ kind: StoreKind) throws {
        let numbers: [(NSNumber, String)] = [
            (NSNumber(value: Int64.max), "9223372036854775807"), (NSNumber(value: Int64.min), "-9223372036854775808"),
            (NSNumber(value: (Int64(1) << 53) + 1), "9007199254740993"), (NSNumber(value: 0.1), "0.1"),
            (NSNumber(value: 1_000_000_000_000_000.5), "1000000000000000.5"), (NSNumber(value: 1e-120), "1e-120"),
            (NSNumber(value: true), "1"), (NSNumber(value: -0.0), "0"), (NSNumber(value: 1e-200), "0"),
        ]
        for (number, text) in numbers {
            let found = try requireValue(try roundTrip(kind, "exact", number) as? NSDecimalNumber)
            expectEqual(found, NSDecimalNumber(string: text), "\(number)")
        }
    }

    @Test("a boolean attribute is true for each number but zero", arguments: StoreKind.everyKind)
    func booleansOfNumbers(_ kind: StoreKind) throws {
        for number: NSNumber in [0.25, -0.5, 2, NSDecimalNumber(string: "0.1"), NSNumber(value: 1e300), 0, -0.0] {
            let found = try roundTrip(kind, "flag", number) as? Bool
            expectEqual(found, .some(number.doubleValue != 0), "\(number)")
        }
    }

    @Test("a decimal that is no number is nil in a file, and itself in memory", arguments: StoreKind.everyKind)
    func notANumber(_ kind: StoreKind) throws {
        let found = try roundTrip(kind, "exact", NSDecimalNumber.notANumber) as? NSDecimalNumber
        #expect(found == nil || found?.decimalValue.isNaN == true)
    }

    @Test("real numbers come back to the last bit, the infinite ones too", arguments: StoreKind.everyKind)
    func reals(_ kind: StoreKind) throws {
        for value in [Double.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0.1, 1 / 3] {
            let found = try requireValue(try roundTrip(kind, "real", value) as? NSNumber)
            expectEqual(found.doubleValue, value)
        }
        for value in [Float.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1] {
            expectEqual((try roundTrip(kind, "single", value) as? NSNumber)?.floatValue, value)
        }
    }

    @Test("UUIDs and URLs come back whole", arguments: StoreKind.everyKind)
    func identifiers(_ kind: StoreKind) throws {
        for uuid in [
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)), UUID(),
        ] {
            try #expect(roundTrip(kind, "uuid", uuid) as? UUID == uuid)
        }
        for text in [
            "https://user@a.example:81/p%20q/?x=1&y=%C3%A9#top", "file:///tmp/a%20b", "urn:isbn:0451450523",
            "relative/path",
        ] {
            let url = try requireValue(URL(string: text))
            try expectEqual((roundTrip(kind, "link", url) as? URL)?.absoluteString, text)
        }
    }

    @Test(
        "binary data with external storage comes back in every size, from where it lies", arguments: StoreKind.everyKind
    )
    func externalData(_ kind: StoreKind) throws {
        for size in [0, 1, 100_000, 200_000, 1_500_000] {
            let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try withStack(kind, model: makeModel()) { stack in
                let value = stack.context.make("Value", "v", ["photo": data])
                try stack.context.save()
                #expect(value.value(forKey: "photo") as? Data == data)
                try inFreshContext(stack) { context in
                    let found = try context.one("Value", "v")
                    #expect(found.value(forKey: "photo") as? Data == data, "\(size) bytes")
                    found.setValue(Data([1]), forKey: "photo")
                    try context.save()
                }
                try inFreshContext(stack) {
                    try #expect($0.one("Value", "v").value(forKey: "photo") as? Data == Data([1]))
                }
                let support = stack.folder.file(".store_SUPPORT/_EXTERNAL_DATA").path
                #expect((try? FileManager.default.contentsOfDirectory(atPath: support))?.isEmpty ?? true)
            }
        }
    }
}
