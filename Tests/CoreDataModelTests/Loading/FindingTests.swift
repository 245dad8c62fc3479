import Testing

@testable import CoreDataModel

@Suite("Finding models")
struct FindingTests {
    @Test("A model is found by name, the compiled form first")
    func byName() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(FullSourceModel.xml, to: "Full.xcdatamodel/contents").deletingLastPathComponent()
        try expectEqual(ModelSearch.modelFile(named: "Full", in: [folder.url]).lastPathComponent, "Full.xcdatamodel")
        try folder.write(try ModelArchive.encode(try ModelFile.load(at: source), as: .compiled), to: "Full.mom")
        try expectEqual(ModelSearch.modelFile(named: "Full", in: [folder.url]).lastPathComponent, "Full.mom")
    }

    @Test("An unknown model name is an error with the searched folders and the most similar names")
    func missing() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try folder.write(FullSourceModel.xml, to: "Garage.xcdatamodel/contents")
        try other.write(FullSourceModel.xml, to: "Zoo.xcdatamodel/contents")
        let error = try #require(throws: CocoaError.self) {
            try ModelSearch.modelFile(named: "Garge", in: [folder.url, other.url])
        }
        expectEqual(error.code, .fileReadNoSuchFile)
        let text = error.localizedDescription
        expectContains(text, "Did you mean 'Garage'?", "\(text)")
        expectContains(text, "The models there: Garage, Zoo.", "\(text)")
        expectContains(text, folder.url.path)
        expectContains(text, other.url.path)
        expectContains(text, "Garge.momd")
    }

    @Test("Bundles without a model are an error with the searched folders; a damaged model is an error with its file")
    func bundles() throws {
        let folder = try TemporaryFolder()
        let bundle = try requireValue(Bundle(url: folder.url))
        let none = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merged(from: [bundle]) }
        expectContains(none.localizedDescription, "no model in any of them")
        let broken = try folder.write("not a model", to: "Broken.mom")
        let error = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merged(from: [bundle]) }
        expectEqual((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("Broken.mom"), true)
        expectEqual(NSManagedObjectModel(contentsOf: broken), nil)
    }

    @Test("The resource bundle of a module comes before the others")
    func module() throws {
        #expect(
            ModelSearch.folders(of: nil).contains {
                $0.path == Bundle.main.bundleURL.resolvingSymlinksInPath().standardizedFileURL.path
            })
        let folders = ModelSearch.folders(of: nil, module: "demo").map(\.lastPathComponent)
        if folders.contains("OpenCoreData_demo.resources") { expectEqual(folders.first, "OpenCoreData_demo.resources") }
    }
}
