import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("External binary data")
struct ExternalDataTests {
    let folder = try! TemporaryFolder()

    private var external: SQLiteExternalData { SQLiteExternalData(storePath: folder.path("Address.v22.abcddb")) }

    @Test("stores small values in the column after a mark")
    func inline() throws {
        let (column, file) = try external.encode(Data([9, 8]))
        expectEqual(column, Data([1, 9, 8]))
        expectEqual(file, nil)
        try expectEqual(external.decode(column), Data([9, 8]))
        try expectEqual(external.decode(external.encode(Data()).column), Data())
        expectEmpty(try folder.contents)
    }

    @Test("stores values above 128 KiB in files that the column names")
    func file() throws {
        let value = Data(repeating: 7, count: SQLiteExternalData.threshold + 1)
        let (column, file) = try external.encode(value)
        let name = try requireValue(file)
        expectEqual(column, Data([2]) + Data(name.utf8) + Data([0]))
        expectEqual(SQLiteExternalData.fileName(in: column), name)
        try expectEqual(
            Data(contentsOf: folder.url.appendingPathComponent(".Address.v22_SUPPORT/_EXTERNAL_DATA/\(name)")),
            value)
        try expectEqual(external.decode(column), value)
        try external.remove(file: name)
        try external.remove(file: name)
        expectEqual(thrownError { _ = try external.decode(column) }?.code, 260)
    }

    @Test("writes a large value in parts", arguments: [0, 1, 99, 100, 101, 200, 250])
    func parts(count: Int) throws {
        let value = Data((0..<count).map { UInt8($0) })
        let path = folder.path("value")
        try OperatingSystem.writeParts(of: value, toNewFile: path, most: 100)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), value)
    }

    @Test("stores values above 2 GiB whole", .enabled(if: TestRun.isLong))
    func aboveTwoGigabytes() throws {
        let source = folder.path("source")
        try OperatingSystem.createFile(source, contents: Data())
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: source))
        try handle.seek(toOffset: 2 << 30)
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        let value = try Data(contentsOf: URL(fileURLWithPath: source), options: .alwaysMapped)
        let decoded = try external.decode(external.encode(value).column)
        expectEqual(decoded.count, value.count)
        expectEqual(Data(decoded.suffix(5)), Data([0, 0, 1, 2, 3]))
    }

    @Test("maps values above 256 KiB: they outlive their files")
    func mapped() throws {
        let value = Data((0..<300 << 10).lazy.map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let (column, file) = try external.encode(value)
        var decoded = try external.decode(column)
        try external.remove(file: requireValue(file))
        expectTrue(decoded == value)
        // Nothing else has the bytes: they change in place.
        decoded[decoded.startIndex] = 77
        expectEqual(decoded.first, 77)
    }

    @Test("throws for a frame whose file name is no UUID")
    func hostileFrame() throws {
        let name = String("../../../../../../../../../etc/passwd".prefix(36))
        let column = Data([2]) + Data(name.utf8) + Data([0])
        try #require(column.count == 38)
        expectEqual(thrownError { _ = try external.decode(column) }?.code, 259)
        expectEqual(thrownError { _ = try external.decode(Data([3, 0])) }?.code, 259)
    }
}

@Suite("Raw DEFLATE streams")
struct RawDeflateTests {
    @Test("decompress to the compressed data", arguments: [0, 1, 70_000, 300_000])
    func roundTrip(count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) })
        try expectEqual(RawDeflate.expand(RawDeflate.compress(data)), data)
    }

    @Test("throw if they are truncated, damaged or too large")
    func refused() throws {
        let stream = try RawDeflate.compress(Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }))
        expectEqual(thrownError { _ = try RawDeflate.expand(stream.dropLast(3)) }?.code, 259)
        expectEqual(thrownError { _ = try RawDeflate.expand(Data([0xFF, 0xFF, 0xFF])) }?.code, 259)
        expectEqual(thrownError { _ = try RawDeflate.expand(Data()) }?.code, 259)
        let bomb = try RawDeflate.compress(Data(count: 3 << 20))
        expectEqual(thrownError { _ = try RawDeflate.expand(bomb, limit: 1 << 20) }?.code, 259)
    }
}
