import CoreDataModel

/// Compiled models, as binary archives or as XML.
struct CompiledModelKind: InputKind {
    let isXML: Bool

    var name: String { isXML ? "mom-xml" : "mom" }
    var form: MutationForm { .propertyList }

    func samples() throws -> [Data] {
        let binary =
            try SampleModels.all().map { try ModelArchive.encode($0, as: .compiled) }
            + SampleFiles.corpus(withExtension: "mom", limit: 4)
        return isXML ? try binary.map { PropertyListXML.data(try PropertyListReader.read($0)) } : binary
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.mom")
        try mutant.write(to: file)
        guard let read = try self.read(naming: file, { try ModelFile.load(at: file) }) else { return .refused }
        try ModelUse.use(read, in: folder, number: number)
        return .accepted
    }
}

/// `VersionInfo.plist` of a compiled bundle.
struct VersionInfoKind: InputKind {
    let name = "versioninfo"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-info-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bundle = folder.appendingPathComponent("Sample.momd")
        try CompiledModelBundle.write(
            ["One": try SampleModels.read(), "Two": SampleModels.made()], current: "Two", to: bundle)
        let data = try Data(contentsOf: bundle.appendingPathComponent("VersionInfo.plist"))
        return [data, PropertyListXML.data(try PropertyListReader.read(data))]
            + SampleFiles.corpus(named: "VersionInfo.plist", limit: 2)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let bundle = folder.appendingPathComponent("Mutant.momd")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let empty = try ModelArchive.encode(NSManagedObjectModel(), as: .compiled)
        for name in ["One", "Two"] { try empty.write(to: bundle.appendingPathComponent(name + ".mom")) }
        try mutant.write(to: bundle.appendingPathComponent("VersionInfo.plist"))
        let read = try self.read(naming: bundle) { try ModelFile.load(at: bundle) }
        _ = try self.read(naming: bundle) { try NSManagedObjectModel.checksumsForVersionedModel(at: bundle) }
        return read == nil ? .refused : .accepted
    }
}
