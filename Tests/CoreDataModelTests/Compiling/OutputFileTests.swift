import Testing

@testable import CoreDataModel

@Suite("Atomic output")
struct OutputFileTests {
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test("If the check of a folder fails, the old folder stays, without a temporary folder")
    func failingCheck() throws {
        let folder = try TemporaryFolder()
        let output = folder.url.appendingPathComponent("Out.momd")
        try OutputFile.writeFolder([("a", Data([1]))], to: output)
        #expect(throws: CocoaError.self) {
            try OutputFile.writeFolder([("a", Data([2])), ("b/c", Data([3]))], to: output) { draft in
                try expectEqual(Data(contentsOf: draft.appendingPathComponent("b/c")), Data([3]))
                throw CocoaError(.fileReadCorruptFile)
            }
        }
        try expectEqual(names(folder), ["Out.momd"])
        try expectEqual(Data(contentsOf: output.appendingPathComponent("a")), Data([1]))
    }

    @Test("A folder with an additional file is replaced completely")
    func replacing() throws {
        let folder = try TemporaryFolder()
        let output = folder.url.appendingPathComponent("Out.momd")
        expectTrue(try OutputFile.writeFolder([("a", Data([1])), ("b", Data([2]))], to: output))
        expectFalse(try OutputFile.writeFolder([("b", Data([2])), ("a", Data([1]))], to: output))
        expectTrue(try OutputFile.writeFolder([("a", Data([1]))], to: output))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: output.path), ["a"])
        try expectEqual(names(folder), ["Out.momd"])
    }

    @Test("A file is written once, and others may read it")
    func file() throws {
        let folder = try TemporaryFolder()
        let output = folder.url.appendingPathComponent("Out.mom")
        expectTrue(try OutputFile.write(Data([1]), to: output))
        expectFalse(try OutputFile.write(Data([1]), to: output))
        expectTrue(try OutputFile.write(Data([2]), to: output))
        let permissions = try FileManager.default.attributesOfItem(atPath: output.path)[.posixPermissions] as? NSNumber
        expectEqual(permissions.map { $0.intValue & 0o400 }, 0o400)
        try expectEqual(names(folder), ["Out.mom"])
    }

    @Test("If one of several files can't be written, none is")
    func several() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "B.swift/file")
        #expect(throws: CocoaError.self) {
            try OutputFile.write([("A.swift", Data([1])), ("B.swift", Data([2]))], into: folder.url)
        }
        try expectEqual(names(folder), ["B.swift"])
    }

    @Test("A destination is a folder of another kind, or the output itself")
    func destinations() throws {
        let folder = try TemporaryFolder()
        expectEqual(OutputFile.url(for: folder.url, name: "M", extension: "mom").lastPathComponent, "M.mom")
        let bundle = folder.url.appendingPathComponent("M.momd")
        expectEqual(OutputFile.url(for: bundle, name: "X", extension: "momd"), bundle)
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        expectEqual(OutputFile.url(for: bundle, name: "X", extension: "momd"), bundle)
    }

    @Test("A thrown error becomes a diagnostic with its file, line and reason")
    func message() {
        let url = URL(fileURLWithPath: "/m/contents")
        let error = ModelFileError.corrupt(url, "two entities are named 'A'", entity: "A", line: 7)
        expectEqual(
            CompilerDiagnostic(error, path: "/other").description, "/m/contents:7: error: two entities are named 'A'")
        expectTrue(error.localizedDescription.hasSuffix("two entities are named 'A' (line 7)"))
        expectTrue(
            CompilerDiagnostic(ModelFileError.missing(url), path: "/other").description.hasPrefix(
                "/m/contents: error: "))
    }
}
