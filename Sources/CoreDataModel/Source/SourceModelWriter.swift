// SPDX-License-Identifier: Apache-2.0

/// Writes a model as XML, in Xcode's order of elements and attributes, or as elements for the text notation, in the
/// order of the model.
package struct SourceModelWriter {
    private let model: NSManagedObjectModel
    private let format: SourceFormat
    /// Whether the model was made in code. It gets the editor attributes of a new model in Xcode.
    private let isNew: Bool

    private init(_ model: NSManagedObjectModel, _ format: SourceFormat) {
        self.model = model
        self.format = format
        isNew = format == .xml && model.sourceAttributes.isEmpty
    }

    /// The XML of a model: the file `contents` in a folder `Name.xcdatamodel`.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` (512) with entity and key for parts that a source model can't
    ///   represent: predicates that are not limits, default values of other classes, user info that is not a string,
    ///   expressions without a text form.
    package static func xml(of model: NSManagedObjectModel) throws -> Data {
        try SourceXMLWriter.data(try SourceModelWriter(model, .xml).root())
    }

    /// The elements of a model.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` (512) with entity and key for parts that the format can't represent.
    package static func element(of model: NSManagedObjectModel, for format: SourceFormat) throws -> SourceElement {
        try SourceModelWriter(model, format).root()
    }

    /// Writes the folder `Name.xcdatamodel` with the file `contents`.
    ///
    /// - Throws: the errors of `xml(of:)`, and the file system's errors.
    package static func write(_ model: NSManagedObjectModel, to folder: URL) throws {
        let data = try xml(of: model)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent("contents"), options: .atomic)
    }

    private func root() throws -> SourceElement {
        var composites = SourceCompositeWriter()
        var entities = model.entities
        if format == .xml { entities = entities.sortedBytewise { $0.name ?? "" } }
        var children = try entities.map {
            try SourceEntityWriter(entity: $0, isNew: isNew, format: format).element(&composites)
        }
        for (name, request) in model.fetchRequestTemplatesByName.sortedBytewise(by: { $0.key }) {
            children.append(try SourceFetchRequestWriter.element(request, name: name, format: format))
        }
        for name in model.configurations {
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sortedBytewise()
            children.append(
                SourceElement(
                    "configuration", [("name", name)],
                    children: members.map { SourceElement("memberEntity", [("name", $0)]) }))
        }
        children += composites.elements
        guard format == .textNotation else { return SourceElement("model", attributes, children: children) }
        return try textNotationRoot(children)
    }

    private func textNotationRoot(_ children: [SourceElement]) throws -> SourceElement {
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sortedBytewise()
        guard identifiers.count == model.versionIdentifiers.count else {
            throw ModelFileError.notExpressible(
                "a version identifier is not a string.", entity: nil, key: "versionIdentifiers")
        }
        var attributes = SourceEditorAttributes.model.map { ($0, model.sourceAttributes[$0]) }
        attributes.insert(("userDefinedModelVersionIdentifier", identifiers.count == 1 ? identifiers[0] : nil), at: 0)
        var children = children
        if identifiers.count > 1 { children += identifiers.map { SourceElement("versionIdentifier", [("value", $0)]) } }
        if let texts = model.localizationDictionary {
            let entries = texts.sortedBytewise { $0.key }
            children.append(
                SourceElement(
                    "localization",
                    children: entries.map { SourceElement("entry", [("key", $0.key), ("value", $0.value)]) }))
        }
        return SourceElement("model", attributes, children: children)
    }

    private var attributes: [(String, String?)] {
        let identifier = model.versionIdentifiers.compactMap { $0 as? String }.sorted().first ?? ""
        let values = isNew ? Self.newModelAttributes : model.sourceAttributes
        return [
            ("type", values["type"]), ("documentVersion", values["documentVersion"]),
            ("lastSavedToolsVersion", values["lastSavedToolsVersion"]), ("systemVersion", values["systemVersion"]),
            ("minimumToolsVersion", values["minimumToolsVersion"]), ("sourceLanguage", values["sourceLanguage"]),
            ("usedWithCloudKit", values["usedWithCloudKit"]), ("usedWithSwiftData", values["usedWithSwiftData"]),
            ("name", values["name"]), ("macOSVersion", values["macOSVersion"]), ("iOSVersion", values["iOSVersion"]),
            ("userDefinedModelVersionIdentifier", identifier),
        ]
    }

    private static let newModelAttributes = [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0", "lastSavedToolsVersion": "22758",
        "systemVersion": "23E224", "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
    ]
}
