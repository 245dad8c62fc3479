import CoreData
import Foundation
import Testing

@testable import ServeCommand

@Suite("The versions of a model bundle") struct ModelVersionTests {
    /// A version with a configuration `Cloud`.
    private static func source(cloud entities: [String], titleType: String = "String") -> String {
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Note"><attribute name="title" optional="YES" attributeType="\(titleType)"/></entity>
            <entity name="Draft"><attribute name="title" optional="YES" attributeType="String"/></entity>
            <configuration name="Cloud">
            \(entities.map { "<memberEntity name=\"\($0)\"/>" }.joined())
            </configuration>
        </model>
        """
    }

    /// Reads a bundle of versions, of which the last one is the current one.
    private static func versions(_ sources: [String]) throws -> ModelVersions {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-serve-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appendingPathComponent("Notes.xcdatamodeld")
        for (index, source) in sources.enumerated() {
            let version = bundle.appendingPathComponent("\(index).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(source.utf8).write(to: version.appendingPathComponent("contents"))
        }
        let current = ["_XCCurrentVersionName": "\(sources.count - 1).xcdatamodel"]
        try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
            .write(to: bundle.appendingPathComponent(".xccurrentversion"))
        return try ModelVersions(bundle)
    }

    @Test("that differ from the current one by their configurations alone are older ones")
    func configurations() throws {
        let versions = try Self.versions([Self.source(cloud: ["Note"]), Self.source(cloud: ["Note", "Draft"])])
        #expect(versions.current.entities(forConfigurationName: "Cloud")?.count == 2)
        #expect(versions.older.map { $0.entities(forConfigurationName: "Cloud")?.count } == [1])
    }

    @Test("that have other entities are older ones")
    func entities() throws {
        let versions = try Self.versions(
            [Self.source(cloud: ["Note"], titleType: "Integer 16"), Self.source(cloud: ["Note"])])
        #expect(versions.older.count == 1)
    }

    @Test("that equal the current one aren't")
    func same() throws {
        let versions = try Self.versions([Self.source(cloud: ["Note"]), Self.source(cloud: ["Note"])])
        #expect(versions.older.isEmpty)
    }
}
