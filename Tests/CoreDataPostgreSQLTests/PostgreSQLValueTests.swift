import Testing

@testable import CoreDataPostgreSQL

/// Values in the server's binary form, sent and received.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLValueTests {
    private func row(_ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()) throws
        -> PostgreSQLRow
    {
        let connection = try TestServer.connect()
        return try requireValue(try connection.execute(text, parameters).first)
    }

    private func parameters(_ body: (inout PostgreSQLParameters) -> Void) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        body(&parameters)
        return parameters
    }

    @Test("Integers keep their values", arguments: [Int64.min, -1, 0, 1, 70_000, .max])
    func integersKeepTheirValues(_ value: Int64) throws {
        let row = try row(
            "SELECT $1, $2, $3, $1::text",
            parameters {
                $0.append(int64: value)
                $0.append(int32: Int32(truncatingIfNeeded: value))
                $0.append(int16: Int16(truncatingIfNeeded: value))
            })
        expectEqual(row.int64(0), value)
        expectEqual(row.int64(1), Int64(Int32(truncatingIfNeeded: value)))
        expectEqual(row.int64(2), Int64(Int16(truncatingIfNeeded: value)))
        expectEqual(row.text(3), String(value))
    }

    @Test("Truth values and floating-point numbers keep their values")
    func truthValuesAndFloating() throws {
        let row = try row(
            "SELECT $1, $2, $3, $4, $5, $6",
            parameters {
                $0.append(bool: true)
                $0.append(bool: false)
                $0.append(double: .leastNonzeroMagnitude)
                $0.append(double: -.infinity)
                $0.append(double: .nan)
                $0.append(float: 0.1)
            })
        expectTrue(row.bool(0))
        expectFalse(row.bool(1))
        expectEqual(row.double(2), .leastNonzeroMagnitude)
        expectEqual(row.double(3), -.infinity)
        expectTrue(row.double(4).isNaN)
        expectEqual(row.double(5), Double(Float(0.1)))
    }

    @Test(
        "Decimal numbers keep all digits",
        arguments: [
            "0", "1", "-1", "10000", "100000000", "0.1", "-0.0001", "1234.5678",
            "99999999999999999999999999999999999999",
            "-12345678901234567890.123456789012345678", "340282366920938463463374607431768211455",
            "1e127", "-99999999999999999999999999999999999999e90", "1e-128", "123456789e-120",
            "12345678901234567890123456789012345678e-128", "7e3", "0.00010001", "1e-5",
        ])
    func decimalNumbersKeepAll(_ text: String) throws {
        let value = try requireValue(Decimal(string: text))
        let row = try row(
            "SELECT $1, $2::numeric = $1",
            parameters {
                $0.append(numeric: value)
                $0.append(text: text)
            })
        expectEqual(row.decimal(0), value)
        expectTrue(row.bool(1))
    }

    @Test(
        "The extremes of decimal numbers keep their values",
        arguments: [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude])
    func theExtremesOfDecimal(_ value: Decimal) throws {
        let row = try row("SELECT $1, $1::text", parameters { $0.append(numeric: value) })
        expectEqual(row.decimal(0), value)
    }

    @Test("What Decimal cannot hold is rounded or not a number")
    func whatDecimalCannotHold() throws {
        let row = try row(
            """
            SELECT 'NaN'::numeric, 'Infinity'::numeric, 1e300::numeric, 1e-300::numeric,
                1234567890123456789012345678901234567890.5::numeric, $1
            """, parameters { $0.append(numeric: .nan) })
        expectTrue(row.decimal(0).isNaN)
        expectTrue(row.decimal(1).isNaN)
        expectTrue(row.decimal(2).isNaN)
        expectEqual(row.decimal(3), 0)
        expectEqual(row.decimal(4), Decimal(string: "123456789012345678901234567890123456789e1"))
        expectTrue(row.decimal(5).isNaN)
    }

    @Test(
        "Text keeps its characters",
        arguments: ["", "a", "Grüße, 世界 👩‍👩‍👧‍👦", "e\u{301}", String(repeating: "ß", count: 100_000)])
    func textKeepsItsCharacters(_ value: String) throws {
        let row = try row(
            "SELECT $1, length($1), octet_length($1)", parameters { $0.append(text: value) })
        expectEqual(Array(row.text(0).utf8), Array(value.utf8))
        #expect(row.int64(1) == value.unicodeScalars.count)
        #expect(row.int64(2) == value.utf8.count)
    }

    @Test("Bytes, identifiers and documents keep their values")
    func bytesIdentifiersAndDocuments() throws {
        let data = Data((0...255).map { UInt8($0) })
        let identifier = UUID()
        let row = try row(
            "SELECT $1, $2, $3, $2::text, $4",
            parameters {
                $0.append(bytes: data)
                $0.append(uuid: identifier)
                $0.append(bytes: Data())
                $0.append(jsonb: #"{"a": [1, null]}"#)
            })
        expectEqual(row.data(0), data)
        expectEqual(row.uuid(1), identifier)
        expectEqual(row.data(2), Data())
        expectFalse(row.isNull(2))
        expectEqual(row.text(3), identifier.uuidString.lowercased())
        expectEqual(row.jsonb(4), #"{"a": [1, null]}"#)
    }

    @Test(
        "Dates keep microseconds",
        arguments: [
            ("2001-01-01 00:00:00.000000", 0), ("2026-07-30 12:34:56.123456", 807_107_696.123456),
            ("2000-12-31 23:59:59.999999", -0.000001), ("1970-01-01 00:00:00.000000", -978_307_200),
            ("0001-01-01 00:00:00.000000", -63_113_904_000),
        ])
    func datesKeepMicroseconds(_ text: String, _ interval: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        let row = try row(
            "SELECT $1, to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ($2 || '+00')::timestamptz",
            parameters {
                $0.append(timestamp: date)
                $0.append(text: text)
            })
        expectEqual(row.date(0), date)
        expectEqual(row.text(1), text)
        expectEqual(row.date(2), date)
    }

    @Test("A date has the rounded value after it was written")
    func aDateHasTheRounded() throws {
        let date = Date(timeIntervalSinceReferenceDate: 807_107_696.1234567)
        let row = try row("SELECT $1", parameters { $0.append(timestamp: date) })
        expectEqual(row.date(0), PostgreSQLTimestamp.rounded(date))
        expectEqual(PostgreSQLTimestamp.rounded(row.date(0)), row.date(0))
    }

    @Test("Infinite dates keep their values, and dates that are too far are refused")
    func infiniteDatesKeepTheir()
        throws
    {
        let infinite = try row(
            "SELECT $1, $2, $1::text",
            parameters {
                $0.append(timestamp: Date(timeIntervalSinceReferenceDate: .infinity))
                $0.append(timestamp: Date(timeIntervalSinceReferenceDate: -.infinity))
            })
        expectEqual(infinite.date(0).timeIntervalSinceReferenceDate, .infinity)
        expectEqual(infinite.date(1).timeIntervalSinceReferenceDate, -.infinity)
        expectEqual(infinite.text(2), "infinity")
        for interval in [1e15, -1e15, 1e300] {
            let failure = #expect(throws: PostgreSQLFailure.self) {
                try self.row(
                    "SELECT $1", parameters { $0.append(timestamp: Date(timeIntervalSinceReferenceDate: interval)) })
            }
            expectEqual(failure?.sqlState, "22008")
        }
    }

    @Test("Null of each type is null", arguments: PostgreSQLType.allCases)
    func nullOfEachType(_ type: PostgreSQLType) throws {
        let row = try row(
            "SELECT $1, pg_typeof($1)::text", parameters { $0.appendNull(of: type) })
        expectTrue(row.isNull(0))
        expectEqual(row.valueIfWhole(0), .null)
        expectEqual(row.text(1), (type == .timestamptz ? "timestamp with time zone" : type.name))
    }

    @Test("Values get the asked type")
    func valuesGetTheAsked() throws {
        let decimal = try requireValue(Decimal(string: "123456789012345678.9"))
        let row = try row(
            "SELECT pg_typeof($1)::text, pg_typeof($2)::text, pg_typeof($3)::text, pg_typeof($4)::text, $1, $2, $3, $4",
            parameters {
                $0.append(.integer(7), as: .int2)
                $0.append(.integer(1), as: .bool)
                $0.append(.real(2), as: .int4)
                $0.append(.decimal(decimal), as: .float8)
            })
        expectEqual((0..<4).map { row.text($0) }, ["smallint", "boolean", "integer", "double precision"])
        expectEqual(row.valueIfWhole(4), .integer(7))
        expectTrue(row.bool(5))
        expectEqual(row.valueIfWhole(6), .integer(2))
        expectEqual(row.valueIfWhole(7), .real(123456789012345678.9))
    }

    @Test("Types of the server's catalogue are texts and integers")
    func typesOfTheServers() throws {
        let row = try row(
            "SELECT 'a'::name, 'b'::varchar(3), '[]'::json, 4294967295::oid, '5'::xid8, '127.0.0.1'::inet")
        expectEqual((0..<3).map { row.valueIfWhole($0) }, [.text("a"), .text("b"), .text("[]")])
        expectEqual(row.valueIfWhole(3), .integer(4_294_967_295))
        expectEqual(row.valueIfWhole(4), .integer(5))
        // The family, the bits of the mask, whether it is a network, the length, the address.
        expectEqual(row.valueIfWhole(5), .bytes(Data([2, 32, 0, 4, 127, 0, 0, 1])))
    }

    @Test("Arrays of each type arrive with their nulls")
    func arraysOfEachType() throws {
        let values: [(PostgreSQLType, SQLValue)] = [
            (.bool, .integer(1)), (.int2, .integer(-2)), (.int4, .integer(3)), (.int8, .integer(.min)),
            (.float4, .real(0.5)), (.float8, .real(0.1)), (.numeric, .decimal(Decimal(string: "1.5")!)),
            (.text, .text("ä")), (.bytea, .bytes(Data([0, 1]))), (.jsonb, .text("[1]")),
            (.timestamptz, .timestamp(Date(timeIntervalSinceReferenceDate: 1))), (.uuid, .uuid(UUID())),
        ]
        let connection = try TestServer.connect()
        for (type, value) in values {
            var array = PostgreSQLArray(type: type)
            array.append(value)
            array.appendNull()
            array.append(value)
            let result = try connection.execute(
                "SELECT x FROM unnest($1::\(type.name)[]) AS t(x)", parameters { $0.append(array: array) })
            expectEqual(result.map { $0.valueIfWhole(0) }, [value, .null, value])
        }
    }

    @Test("An array without elements is empty", arguments: PostgreSQLType.allCases)
    func anArrayWithoutElements(_ type: PostgreSQLType) throws {
        let row = try row(
            "SELECT cardinality($1), $1 IS NULL", parameters { $0.append(array: PostgreSQLArray(type: type)) })
        expectEqual(row.int64(0), 0)
        expectFalse(row.bool(1))
    }

    @Test("Arrays of keys are sent", arguments: [[], [1], Array(-500...500)] as [[Int64]])
    func arraysOfKeysAreSent(_ keys: [Int64]) throws {
        let row = try row(
            "SELECT cardinality($1), (SELECT count(*) FROM generate_series(-1000, 1000) g WHERE g = ANY($1))",
            parameters { $0.append(keys: keys) })
        #expect(row.int64(0) == keys.count)
        #expect(row.int64(1) == keys.count)
    }

    @Test("A statement has at most 65,535 parameters")
    func aStatementHasAtMost() throws {
        var parameters = PostgreSQLParameters()
        for _ in 0...65_535 { parameters.append(bool: true) }
        let connection = try TestServer.connect()
        let failure = #expect(throws: PostgreSQLFailure.self) { try connection.execute("SELECT 1", parameters) }
        expectEqual(failure?.sqlState, "54000")
        try expectEqual(connection.execute("SELECT 1").count, 1)
    }
}
