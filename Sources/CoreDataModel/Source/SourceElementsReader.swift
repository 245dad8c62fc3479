// SPDX-License-Identifier: Apache-2.0

/// Reads the source format before Xcode 4: `elements`, a keyed archive of the objects of a drawing tool. The result is
/// the same tree of source elements that is read from XML.
struct SourceElementsReader {
    private let url: URL

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - archive: the keyed archive, with the root class `XDPMModel`.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) if the archive is damaged.
    static func read(_ archive: KeyedArchiveReader, from url: URL) throws -> SourceElement {
        do {
            return try SourceElementsReader(url: url).model(try archive.root())
        } catch let error as CocoaError where error.code == .coderReadCorrupt {
            throw ModelFileError.corrupt(url, error.localizedDescription)
        }
    }

    /// The class of the root object, which identifies the format.
    static let rootClassName = "XDPMModel"

    private static let typeNames = Dictionary(
        SourceSpelling.attributeTypes.map { (Int($0.type.rawValue), $0.name) }, uniquingKeysWith: { $1 })
    private static let ruleNames = Dictionary(
        SourceSpelling.deleteRules.map { (Int($0.rule.rawValue), $0.name) }, uniquingKeysWith: { $1 })

    private func model(_ root: KeyedArchiveObject) throws -> SourceElement {
        let package = try root.requiredObject("_xd_rootPackage")
        var children: [SourceElement] = []
        var requests: [SourceElement] = []
        for (_, value) in try package.entries("XDBucketForClassesstorage") ?? [] {
            guard let object = value.object, object.className == "XDPMEntity" else { continue }
            children.append(try entity(object))
            requests += try fetchRequests(object)
        }
        let configurations = try root.entries("_configurationsByName") ?? []
        let members = try configurations.compactMap { name, value -> SourceElement? in
            guard let object = value.object,
                KeyedArchiveObject.arrayClasses.contains(object.className)
                    || KeyedArchiveObject.setClasses.contains(object.className)
            else { return nil }
            let names = try object.elements().compactMap { try $0.string ?? $0.object?.string("_name") }
            return SourceElement(
                "configuration", [("name", name)], children: names.map { SourceElement("memberEntity", [("name", $0)]) }
            )
        }
        return SourceElement(
            "model", [("userDefinedModelVersionIdentifier", try root.string("_modelVersionIdentifier") ?? "")],
            children: children + requests + members)
    }

    private func entity(_ object: KeyedArchiveObject) throws -> SourceElement {
        let tags = try SourceElementTags(object)
        let className = try tags.string("XD_PSK_entityClassName")
        var parent: String?
        for generalization in try object.objects("XDBucketForGeneralizationsstorage") ?? [] {
            parent = try generalization.object("_general")?.string("_name") ?? parent
        }
        var children: [SourceElement] = []
        for (_, value) in try object.entries("XDBucketForOwnedAttributesstorage") ?? [] {
            if let property = value.object, let element = try propertyElement(property) { children.append(element) }
        }
        children += try lists(tags, "XDPMCompoundIndexes", "compoundIndexes", "compoundIndex", "index")
        children += try lists(
            tags, "XDPMUniquenessConstraints", "uniquenessConstraints", "uniquenessConstraint", "constraint")
        children += try userInfo(tags, "XD_PSK_userInfo")
        return SourceElement(
            "entity",
            [
                ("name", try object.requiredString("_name")),
                ("representedClassName", className == "NSManagedObject" ? nil : className),
                ("parentEntity", parent),
                ("isAbstract", try tags.yesOrNil("XD_PSK_isAbstract")),
                ("elementID", try tags.string("XD_PSK_elementID")),
                ("versionHashModifier", try tags.string("XD_PSK_versionHashModifier")),
            ], children: children)
    }

    private func propertyElement(_ object: KeyedArchiveObject) throws -> SourceElement? {
        let tags = try SourceElementTags(object)
        var attributes: [(String, String?)] = [
            ("name", try object.requiredString("_name")),
            ("optional", try tags.yesOrNil("XD_PPSK_isOptional")),
            ("transient", try tags.yesOrNil("XD_PPSK_isTransient")),
            ("indexed", try tags.yesOrNil("XD_PPSK_isIndexed")),
            ("spotlightIndexingEnabled", try tags.yesOrNil("XD_PPSK_isSpotlightIndexed")),
            ("storedInTruthFile", try tags.yesOrNil("XD_PPSK_isStoredInTruthFile")),
            ("elementID", try tags.string("XD_PPSK_elementID")),
            ("versionHashModifier", try tags.string("XD_PPSK_versionHashModifier")),
        ]
        var children = try userInfo(tags, "XD_PPSK_userInfo")
        let name: String
        switch object.className {
        case "XDPMAttribute":
            name = "attribute"
            attributes += try attribute(tags)
        case "XDPMRelationship":
            name = "relationship"
            attributes += try relationship(tags)
        case "XDPMFetchedProperty":
            name = "fetchedProperty"
            if let request = try tags.object("XD_PFetchK_fetchRequest") {
                children.append(try fetchRequest(request, named: "fetchedPropertyFetchRequest"))
            }
        default: return nil
        }
        return SourceElement(name, attributes, children: children)
    }

    private func attribute(_ tags: SourceElementTags) throws -> [(String, String?)] {
        [
            ("attributeType", try tags.integer("XD_PAttK_attributeType").map { Self.typeNames[$0] ?? String($0) }),
            ("defaultValueString", try tags.string("XD_PAttK_defaultValueAsString")),
            ("minValueString", try tags.string("XD_PAttK_minValueString")),
            ("maxValueString", try tags.string("XD_PAttK_maxValueString")),
            ("regularExpressionString", try tags.string("XD_PAttK_regularExpressionString")),
            ("valueTransformerName", try tags.string("XD_PAttK_valueTransformerName")),
            ("allowsExternalBinaryDataStorage", try tags.yesOrNil("XD_PAttK_allowsExternalBinaryDataStorage")),
        ]
    }

    private func relationship(_ tags: SourceElementTags) throws -> [(String, String?)] {
        let destination = try tags.object("XD_PRK_destination")?.string("_name")
        let inverse = try tags.object("XD_PRK_inverseRelationship")
        return [
            ("destinationEntity", destination),
            ("inverseName", try inverse?.string("_name")),
            ("inverseEntity", inverse == nil ? nil : destination),
            ("toMany", try tags.yesOrNil("XD_PRK_isToMany")),
            ("ordered", try tags.yesOrNil("XD_PRK_ordered")),
            ("minCount", try tags.integer("XD_PRK_minCount").map(String.init)),
            ("maxCount", try tags.integer("XD_PRK_maxCount").map(String.init)),
            ("deletionRule", try tags.integer("XD_PRK_deleteRule").map { Self.ruleNames[$0] ?? String($0) }),
        ]
    }

    private func fetchRequests(_ entity: KeyedArchiveObject) throws -> [SourceElement] {
        let tags = try SourceElementTags(entity)
        guard let list = try tags.object("XD_PSK_fetchRequestsArray") else { return [] }
        return try list.elements().compactMap { value in
            guard let object = value.object, object.className == "XDPMFetchRequest" else { return nil }
            return try fetchRequest(object, named: try object.requiredString("_name"))
        }
    }

    private func fetchRequest(_ object: KeyedArchiveObject, named name: String) throws -> SourceElement {
        let entity: String?
        switch try object.value("_entity") {
        case .object(let reference): entity = try reference.string("_name")
        case .plain(let value): entity = value.stringValue
        case .none: entity = nil
        }
        return SourceElement(
            "fetchRequest",
            [("name", name), ("entity", entity), ("predicateString", try object.string("_predicateString"))])
    }

    private func lists(
        _ tags: SourceElementTags, _ tag: String, _ outer: String, _ inner: String, _ item: String
    ) throws -> [SourceElement] {
        guard let list = try tags.object(tag) else { return [] }
        let elements = try list.elements().map { value -> SourceElement in
            let names: [String]
            if let text = value.string {
                names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            } else {
                names = try value.object?.elements().compactMap(\.string) ?? []
            }
            return SourceElement(inner, children: names.map { SourceElement(item, [("value", $0)]) })
        }
        return elements.isEmpty ? [] : [SourceElement(outer, children: elements)]
    }

    /// Reads a user info. The model compiler omits entries of Sync Services too.
    private func userInfo(_ tags: SourceElementTags, _ tag: String) throws -> [SourceElement] {
        guard let dictionary = try tags.object(tag) else { return [] }
        let entries = try dictionary.entries().compactMap { key, value -> SourceElement? in
            guard !key.hasPrefix("com.apple.syncservices."), let text = value.string else { return nil }
            return SourceElement("entry", [("key", key), ("value", text)])
        }
        return entries.isEmpty ? [] : [SourceElement("userInfo", children: entries)]
    }
}

/// The tags of an object in the old source format: values by name, which are nested in two levels of drawing objects.
struct SourceElementTags {
    private var values: [String: KeyedArchiveObject] = [:]

    init(_ object: KeyedArchiveObject) throws {
        for (_, stereotype) in try object.entries("XDBucketForStereotypesstorage") ?? [] {
            for (_, value) in try stereotype.object?.entries("XDBucketForOwnedAttributesstorage") ?? [] {
                if let property = value.object, let name = try property.string("_name") { values[name] = property }
            }
        }
    }

    func string(_ tag: String) throws -> String? {
        guard let value = values[tag] else { return nil }
        if case .plain(let value) = try value.value("_default") { return value.stringValue }
        return nil
    }

    func integer(_ tag: String) throws -> Int? { try values[tag]?.integer("_default") }

    func object(_ tag: String) throws -> KeyedArchiveObject? { try values[tag]?.value("_default").object }

    /// "YES" for true; nil for false and for an absent tag, as in XML.
    func yesOrNil(_ tag: String) throws -> String? { try values[tag]?.flag("_default") == true ? "YES" : nil }
}
