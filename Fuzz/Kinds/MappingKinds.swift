import CoreDataModel

/// Compiled mapping models.
struct CompiledMappingKind: InputKind {
    let name = "cdm"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] {
        let models = [try SampleModels.read(), SampleModels.made()]
        let inferred = try NSMappingModel.inferredMappingModel(forSourceModel: models[0], destinationModel: models[0])
        inferred.entityMappings[0].userInfo = ["key": "value", "number": NSNumber(value: 1)]
        let addition = try NSMappingModel.inferredMappingModel(forSourceModel: NSManagedObjectModel(), destinationModel: models[1])
        return try [inferred, addition].map(MappingModelArchive.encode) + SampleFiles.corpus(withExtension: "cdm", limit: 2)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.cdm")
        try mutant.write(to: file)
        guard let read = try self.read(naming: file, { try MappingModelFile.load(at: file) }) else { return .refused }
        try MappingUse.use(read)
        return .accepted
    }
}

/// Mapping models as their editor saves them.
struct SourceMappingKind: InputKind {
    let name = "xcmapping"
    let form = MutationForm.text([
        "<object", "</object>", "<attribute name=\"", "<relationship name=\"", "idrefs=\"", "z102", "XDDEVMAPPINGMODEL", "XDDEVENTITYMAPPING",
        "sourcename", "valueexpressiondata", "sourcekeypath", "sourcemodelpath", "$source.name", "&lt;", "<!--", "-->", "<![CDATA[", "]]>",
    ])

    func samples() throws -> [Data] {
        let model = try SampleModels.read()
        let archive = try ModelArchive.encode(model, as: .compiled).base64EncodedString()
        var objects = ""
        for (number, name) in model.entitiesByName.keys.sorted().enumerated() {
            let attributes = (model.entitiesByName[name]?.attributesByName.keys.sorted() ?? []).enumerated().map { ("a\(number)x\($0.offset)", $0.element) }
            objects += """
                <object type="XDDEVENTITYMAPPING" id="e\(number)"><attribute name="sourcename" type="string">\(name)</attribute>
                <attribute name="destinationname" type="string">\(name)</attribute><attribute name="mappingnumber" type="int16">\(number)</attribute>
                <attribute name="sourcefilterpredicatestring" type="string">TRUEPREDICATE</attribute>
                <relationship name="attributemappings" type="0/0" idrefs="\(attributes.map(\.0).joined(separator: " "))"></relationship></object>\n
                """
            for (id, attribute) in attributes {
                objects += "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"\(id)\"><attribute name=\"name\" type=\"string\">\(attribute)</attribute></object>\n"
            }
        }
        let ids = model.entities.indices.map { "e\($0)" }.joined(separator: " ")
        let text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database><databaseInfo><version>134481920</version></databaseInfo>
            \(objects)<object type="XDDEVMAPPINGMODEL" id="m"><attribute name="sourcemodeldata" type="binary">\(archive)</attribute>
            <attribute name="destinationmodeldata" type="binary">\(archive)</attribute>
            <relationship name="entitymappings" type="0/0" idrefs="\(ids)"></relationship></object></database>
            """
        return [Data(text.utf8)] + SampleFiles.corpus(named: "xcmapping.xml", limit: 2)
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("xcmapping.xml")
        try mutant.write(to: file)
        guard let read = try self.read(naming: file, { try MappingModelFile.load(at: file) }) else { return .refused }
        try MappingUse.use(read)
        return .accepted
    }
}

/// Does with a mapping model that was read from a mutant what programs and tools do with mapping models.
private enum MappingUse {
    static func use(_ model: NSMappingModel) throws {
        _ = model.entityMappingsByName
        let archive: Data
        do {
            archive = try MappingModelArchive.encode(model)
        } catch let error as CocoaError where error.code == .coderInvalidValue {
            return
        }
        do {
            guard try MappingModelArchive.encode(MappingModelArchive.decode(archive)) == archive else {
                throw Finding("what was written as an archive is other bytes when it is read and written again")
            }
        } catch let error as CocoaError {
            throw Finding("what was written as an archive can't be read: \(error)")
        }
    }
}
