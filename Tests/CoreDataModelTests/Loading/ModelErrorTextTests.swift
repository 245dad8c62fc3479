import CoreDataModel
import Testing

@Suite("The texts of errors about model files")
struct ModelErrorTextTests {
    private static let cases: [String: @Sendable (TemporaryFolder) throws -> Void] = [
        "missing": { _ = try ModelFile.load(at: $0.url.appendingPathComponent("None.xcdatamodel")) },
        "damaged source": { folder in
            try folder.write("<model><entity", to: "Cars.xcdatamodel/contents")
            _ = try ModelFile.load(at: folder.url.appendingPathComponent("Cars.xcdatamodel"))
        },
        "damaged compiled model": { folder in
            try folder.write("bplist00", to: "Cars.mom")
            _ = try ModelFile.load(at: folder.url.appendingPathComponent("Cars.mom"))
        },
        "damaged text": { folder in
            try folder.write("entity {", to: "Cars.coredata")
            _ = try ModelFile.load(at: folder.url.appendingPathComponent("Cars.coredata"))
        },
        "empty bundle": { _ = try CompiledModelBundle(at: $0.url) },
        "part that a source can't have": { _ in
            let name = NSAttributeDescription()
            (name.name, name.attributeType, name.userInfo) = ("name", .stringAttributeType, ["key": Date()])
            let car = NSEntityDescription()
            (car.name, car.properties) = ("Car", [name])
            let model = NSManagedObjectModel()
            model.entities = [car]
            _ = try SourceModelWriter.xml(of: model)
        },
        "wrong checksum": { _ in
            _ = try NSManagedObjectModelReference(model: CarModel.make(), versionChecksum: "none").resolve()
        },
        "wrong name": { folder in
            _ = try NSManagedObjectModelReference(
                name: "Crs", in: Bundle(url: folder.url), versionChecksum: "none"
            ).resolve()
        },
        "output without a folder": { folder in
            try OutputFile.write(Data(), to: folder.url.appendingPathComponent("missing/Cars.mom"))
        },
        "damaged archive": { _ in _ = try ModelArchive.decode(Data([1, 2, 3])) },
    ]

    @Test("each error says what failed and why, and prints the reason", arguments: cases.keys.sorted())
    func texts(_ name: String) throws {
        let folder = try TemporaryFolder()
        let error = try requireValue(thrownError { try Self.cases[name]!(folder) })
        expectEqual((error.userInfo[NSLocalizedDescriptionKey] as? String)?.isEmpty, false)
        expectEqual((error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.isEmpty, false)
        for text in ["\(error)", "\(error as! CocoaError)"] { #expect(!text.contains("(null)"), "\(text)") }
    }
}
