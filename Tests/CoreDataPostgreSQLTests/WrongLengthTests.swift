import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Values whose length differs from the length of their type: only a damaged or hostile server sends them.
@Suite("Values of wrong lengths") struct WrongLengthTests {
    private static let lengths = 0...40

    /// Runs a block with a row of one value, behind which no other byte is. An address sanitizer or valgrind finds what
    /// is read beyond.
    private func withRow<Result>(_ length: Int, _ body: (PostgreSQLRow) throws -> Result) rethrows -> Result {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(length, 1), alignment: 1)
        defer { bytes.deallocate() }
        for index in 0..<length {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: index &* 37), toByteOffset: index, as: UInt8.self)
        }
        let fields = UnsafeMutableBufferPointer<PostgreSQLRow.Field>.allocate(capacity: 1)
        defer { fields.deallocate() }
        fields.initialize(repeating: PostgreSQLRow.Field(address: bytes, length: Int32(length)))
        return try body(PostgreSQLRow(fields: UnsafeBufferPointer(fields)))
    }

    private func fails(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return true
        }
    }

    @Test("An integer has one, two, four or eight bytes", arguments: lengths)
    func integers(length: Int) {
        withRow(length) { row in
            expectEqual(fails { _ = try row.integer(at: 0) }, ![1, 2, 4, 8].contains(length))
        }
    }

    @Test("A number has four or eight bytes, a date has eight", arguments: lengths)
    func reals(length: Int) {
        withRow(length) { row in
            expectEqual(fails { _ = try row.real(at: 0, kind: .double) }, ![4, 8].contains(length))
            expectEqual(fails { _ = try row.real(at: 0, kind: .float) }, ![4, 8].contains(length))
            expectEqual(fails { _ = try row.real(at: 0, kind: .date) }, (length != 8))
        }
    }

    @Test("A UUID has sixteen bytes, a decimal number those of its digits", arguments: lengths)
    func objects(length: Int) {
        withRow(length) { row in
            func object(_ kind: SQLStorageKind) throws {
                _ = try row.object(at: 0, kind: kind) {
                    (PostgreSQLRowSource(url: URL(fileURLWithPath: "/")), "Song")
                }
            }
            expectEqual(fails { try object(.uuid) }, (length != 16))
            // The count of digits, in the first two bytes, is 37.
            #expect(fails { try object(.decimal) })
            expectEqual(fails { try object(.undefined) }, (length == 0))
            for kind in [SQLStorageKind.binary, .transformable, .uri] { #expect(!fails { try object(kind) }) }
        }
    }

    @Test("A column that a row doesn\u{2019}t have is no null")
    func columns() {
        withRow(8) { row in
            #expect(fails { _ = try row.integer(at: 1) })
            #expect(fails { _ = try row.real(at: 1, kind: .double) })
            #expect(row.text(1).isEmpty && row.int64(7) == 0)
        }
    }

    @Test("The values of dictionaries are checked too", arguments: lengths)
    func decoding(length: Int) {
        let bytes = [UInt8](repeating: 7, count: length)
        bytes.withUnsafeBytes { bytes in
            for type in PostgreSQLType.allCases {
                let isRight =
                    switch type {
                    case .bool: length == 1
                    case .int2: length == 2
                    case .int4, .float4: length == 4
                    case .int8, .float8, .timestamptz: length == 8
                    case .uuid: length == 16
                    case .numeric: false
                    case .jsonb: length >= 1
                    case .text, .bytea: true
                    }
                expectEqual((PostgreSQLValue.decode(bytes, as: type) != nil), isRight, "\(type), \(length)")
            }
        }
    }

    @Test("A table whose columns have other types is a damaged store", .enabled(if: TestServer.isPresent))
    func otherTypes() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        // A number in place of a date or a text has another length.
        try database.execute(
            "ALTER TABLE \(database.schema("store")).zperson ALTER COLUMN zage TYPE text USING 'abc'")
        let error = try requireError {
            try database.use(coordinator) { context in
                context.refreshAllObjects()
                _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            }
        }
        expectEqual(error.code, 259, "\(error)")
        expectEqual(error.localizedFailureReason?.localizedCaseInsensitiveContains("zage"), true, "\(error)")
        expectEqual(error.localizedFailureReason?.localizedCaseInsensitiveContains("zperson"), true, "\(error)")
    }
}
