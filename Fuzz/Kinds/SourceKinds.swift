import CoreDataModel

/// Xcode's source models: the XML file `contents`.
struct SourceModelKind: InputKind {
    let name = "source"
    let form = MutationForm.text([
        "Integer 16", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary", "UUID", "URI",
        "Transformable",
        "Composite", "Undefined", "ObjectID", "Complex", "Cascade", "Deny", "No Action", "rtree", "descending",
        "parts.@count", "now()",
        "canonical:(code)", "sum:(parts.number)", "SUBQUERY(parts, $p, $p.number > 1).@count", "number == $NUMBER",
        "NOT (a == 1)",
    ])

    func samples() throws -> [Data] {
        [Data(SampleModels.source.utf8)] + SampleFiles.corpus(named: "contents", limit: 8)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let model = folder.appendingPathComponent("Mutant.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try mutant.write(to: model.appendingPathComponent("contents"))
        let read = try self.read(naming: model) { try ModelFile.load(at: model) }
        try ModelUse.compile(model, isSound: read != nil, in: folder)
        guard let read else { return .refused }
        try ModelUse.use(read, in: folder, number: number)
        return .accepted
    }
}

/// Source models before Xcode 4: the archive `elements`.
struct OldSourceKind: InputKind {
    let name = "elements"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] { [OldSourceSample.data()] + SampleFiles.corpus(named: "elements", limit: 8) }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let model = folder.appendingPathComponent("Mutant.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try mutant.write(to: model.appendingPathComponent("elements"))
        let read = try self.read(naming: model) { try ModelFile.load(at: model) }
        try ModelUse.compile(model, isSound: read != nil, in: folder)
        guard let read else { return .refused }
        try ModelUse.use(read, in: folder, number: number)
        return .accepted
    }
}

/// The file with the name of the current version of a source model.
struct CurrentVersionKind: InputKind {
    let name = "xccurrentversion"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] {
        let list = PropertyListValue.dictionary(["_XCCurrentVersionName": .string("Two.xcdatamodel")])
        return [PropertyListXML.data(list), BinaryPropertyListWriter.write(list)]
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let bundle = folder.appendingPathComponent("Mutant.xcdatamodeld")
        for name in ["One", "Two"] {
            let version = bundle.appendingPathComponent(name + ".xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data("<model/>".utf8).write(to: version.appendingPathComponent("contents"))
        }
        try mutant.write(to: bundle.appendingPathComponent(".xccurrentversion"))
        return try read(naming: bundle) { try ModelFile.load(at: bundle) } == nil ? .refused : .accepted
    }
}
