import CoreDataModel

/// Compiled mapping models (`.cdm`).
struct CompiledMappingKind: InputKind {
    let name = "cdm"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] {
        let model = try SampleModels.read()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
        return [try MappingModelArchive.encode(mapping)] + SampleFiles.corpus(withExtension: "cdm", limit: 2)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.cdm")
        try mutant.write(to: file)
        guard let mapping = try read(naming: file, { try MappingModelFile.load(at: file) }) else { return .refused }
        try MappingUse.use(mapping, in: folder)
        return .accepted
    }
}

/// Xcode's source mapping models: `xcmapping.xml`, which contains copies of both models.
struct SourceMappingKind: InputKind {
    let name = "xcmapping"
    let form = MutationForm.text([
        "XDDEVENTITYMAPPING", "XDDEVATTRIBUTEMAPPING", "XDDEVRELATIONSHIPMAPPING", "XDDEVMAPPINGMODEL", "sourcename",
        "destinationname",
        "valueexpressiondata", "Transform", "Copy", "Remove", "Add", "Undefined", "1/1", "0/0", "z1", "z2 z3",
        "mappingnumber",
    ])

    func samples() throws -> [Data] {
        let model = try ModelArchive.encode(try SampleModels.read(), as: .compiled).base64EncodedString()
        let text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database>
                <object type="XDDEVMAPPINGMODEL" id="z1">
                    <attribute name="sourcemodeldata" type="binary">\(model)</attribute>
                    <attribute name="destinationmodeldata" type="binary">\(model)</attribute>
                    <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" \
            idrefs="z2"></relationship>
                </object>
                <object type="XDDEVENTITYMAPPING" id="z2">
                    <attribute name="sourcename" type="string">Part</attribute>
                    <attribute name="destinationname" type="string">Part</attribute>
                    <attribute name="mappingtypename" type="string">Undefined</attribute>
                    <attribute name="mappingnumber" type="int16">1</attribute>
                    <attribute name="autogenerateexpression" type="bool">1</attribute>
                    <relationship name="mappingmodel" type="1/1" destination="XDDEVMAPPINGMODEL" \
            idrefs="z1"></relationship>
                    <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" \
            idrefs="z3"></relationship>
                    <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" \
            idrefs="z4"></relationship>
                </object>
                <object type="XDDEVATTRIBUTEMAPPING" id="z3">
                    <attribute name="name" type="string">number</attribute>
                    <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" \
            idrefs="z2"></relationship>
                </object>
                <object type="XDDEVRELATIONSHIPMAPPING" id="z4">
                    <attribute name="autogenerateexpression" type="bool">1</attribute>
                    <attribute name="name" type="string">owner</attribute>
                    <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" \
            idrefs="z2"></relationship>
                </object>
            </database>
            """
        return [Data(text.utf8)] + SampleFiles.corpus(named: "xcmapping.xml", limit: 2)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let source = folder.appendingPathComponent("Mutant.xcmappingmodel")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        try mutant.write(to: source.appendingPathComponent("xcmapping.xml"))
        guard let mapping = try read(naming: source, { try MappingModelFile.load(at: source) }) else { return .refused }
        try MappingUse.use(mapping, in: folder)
        return .accepted
    }
}

/// Writes a mapping model and reads it again.
enum MappingUse {
    static func use(_ mapping: NSMappingModel, in folder: URL) throws {
        let file = folder.appendingPathComponent("Written.cdm")
        do {
            try MappingModelFile.write(mapping, to: file)
        } catch let error as CocoaError where error.code == .coderInvalidValue {
            if FileManager.default.fileExists(atPath: file.path) {
                throw Finding("a mapping model that can't be written left a file behind")
            }
            return
        }
        let again: NSMappingModel
        do {
            again = try MappingModelFile.load(at: file)
        } catch {
            throw Finding("a mapping model that was written can't be read: \(error.localizedDescription)")
        }
        let bytes = try MappingModelArchive.encode(again)
        guard bytes == (try Data(contentsOf: file)) else {
            throw Finding("a mapping model that was written and read is written otherwise")
        }
    }
}
