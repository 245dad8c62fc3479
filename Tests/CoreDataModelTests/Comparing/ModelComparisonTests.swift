import Testing

@testable import CoreDataModel

@Suite("Comparing models")
struct ModelComparisonTests {
    /// A model with all features, read from XML in which some texts are replaced.
    private static func model(_ replacements: [(String, String)] = []) throws -> NSManagedObjectModel {
        var xml = FullSourceModel.xml
        for (old, new) in replacements {
            try requireValue(xml.contains(old), "the model has no '\(old)'")
            xml = xml.replacingOccurrences(of: old, with: new)
        }
        let url = URL(fileURLWithPath: "/contents")
        return try SourceModelReader.read(try SourceXMLReader.read(Data(xml.utf8), from: url), from: url)
    }

    private static func texts(_ replacements: (String, String)...) throws -> [String] {
        let comparison = ModelComparison(from: try model(), to: try model(replacements))
        return comparison.differences.map { ($0.changesVersionHash ? "* " : "") + $0.text }
    }

    @Test("A model is equal to itself, read twice")
    func equal() throws {
        let comparison = ModelComparison(from: try Self.model(), to: try Self.model())
        expectEqual(comparison.differences, [])
        expectTrue(comparison.isEqual)
        expectFalse(comparison.needsMigration)
    }

    @Test(
        "Changes of an attribute are described, with * if the version hash changes",
        arguments: [
            (#"name="flag" optional="YES""#, #"name="flag""#, "* Base.flag: now required"),
            (#"name="code" attributeType"#, #"name="code" optional="YES" attributeType"#, "* Base.code: now optional"),
            (
                #"name="flag" optional="YES""#, #"name="flag" optional="YES" transient="YES""#,
                "* Base.flag: now transient"
            ),
            (
                #"name="weight" optional="YES" attributeType="Double""#,
                #"name="weight" optional="YES" attributeType="Float""#,
                "* Base.weight: type Double → Float"
            ),
            (#"defaultValueString="72.5""#, #"defaultValueString="73""#, "Base.weight: default 72.5 → 73.0"),
            (#" defaultValueString="72.5""#, "", "Base.weight: default 72.5 removed"),
            (
                #"defaultDateTimeInterval="86400""#, #"defaultDateTimeInterval="0""#,
                "Base.born: default 2001-01-02T00:00:00Z → 2001-01-01T00:00:00Z"
            ),
            (
                #"valueTransformerName="NSSecureUnarchiveFromData""#, #"valueTransformerName="Mine""#,
                "Base.tags: transformer NSSecureUnarchiveFromData → Mine"
            ),
            (#"customClassName="[String]""#, #"customClassName="[Int]""#, "Base.tags: value class [String] → [Int]"),
            (#" allowsExternalBinaryDataStorage="YES""#, "", "* Base.photo: no longer allows external storage"),
            (#" preserveAfterDeletion="YES""#, "", "* Base.identifier: no longer preserved in history after deletion"),
            (#" allowsCloudEncryption="YES""#, "", "Base.photo: no longer encrypted in the cloud"),
            (#" spotlightIndexingEnabled="YES""#, "", "Base.weight: no longer indexed by Spotlight"),
            (#"versionHashModifier="x""#, #"versionHashModifier="y""#, "* Base.weight: hash modifier x → y"),
            (
                #"elementID="oldIdentifier""#, #"elementID="other""#,
                "Base.identifier: renaming identifier oldIdentifier → other"
            ),
            (
                #"derivationExpression="parts.@count""#, #"derivationExpression="now()""#,
                "* Base.total: derivation parts.@count → now()"
            ),
            (
                #"key="a &amp; b" value="1&#10;2""#, #"key="a &amp; b" value="3""#,
                "Base.total: user info “a & b” 1\n2 → 3"
            ),
            (
                #"""
                name="ratio" optional="YES" attributeType="Float" defaultValueString="0.1" usesScalarValueType="YES"
                """#,
                #"name="ratio" optional="YES" attributeType="Float" defaultValueString="0.1" usesScalarValueType="NO""#,
                "Base.ratio: no longer of a scalar type in code"
            ),
        ])
    func attributes(old: String, new: String, text: String) throws {
        try expectEqual(Self.texts((old, new)), [text])
    }

    @Test(
        "Changes of a relationship are described",
        arguments: [
            (
                #"maxCount="20" deletionRule="Cascade""#, #"maxCount="30" deletionRule="Cascade""#,
                ["* Base.parts: count 1…20 → 1…30"]
            ),
            (#"deletionRule="Cascade""#, #"deletionRule="Nullify""#, ["Base.parts: delete rule Cascade → Nullify"]),
            (#" ordered="YES""#, "", ["* Base.parts: no longer ordered"]),
            (#"toMany="YES" minCount="1" maxCount="20""#, #"maxCount="1""#, ["* Base.parts: now to-one"]),
            (#" inverseName="friend" inverseEntity="Child""#, "", ["Child.friend: inverse friend → none"]),
        ])
    func relationships(old: String, new: String, texts: [String]) throws {
        try expectEqual(Self.texts((old, new)), texts)
    }

    @Test(
        "A class of the current product module is the same with the name of its module",
        arguments: [
            ("App.Base", []), (".Other", ["Base: class .Base → .Other"]),
            ("App.Other", ["Base: class .Base → App.Other"]), ("Base", ["Base: class .Base → Base"]),
        ])
    func ownModule(className: String, differences: [String]) throws {
        let replacement = (#"representedClassName=".Base""#, #"representedClassName="\#(className)""#)
        try expectEqual(Self.texts(replacement), differences)
        let back = ModelComparison(from: try Self.model([replacement]), to: try Self.model())
        expectEqual(back.isEqual, differences.isEmpty)
    }

    @Test(
        "Changes of an entity or the model are described",
        arguments: [
            (#" isAbstract="YES""#, "", "* Base: no longer abstract"),
            (#"representedClassName=".Base""#, #"representedClassName="Root""#, "Base: class .Base → Root"),
            (#"versionHashModifier="2""#, #"versionHashModifier="3""#, "* Base: hash modifier 2 → 3"),
            (
                #"codeGenerationType="class""#, #"codeGenerationType="category""#,
                "Base: code generation class → category"
            ),
            (
                #"property="born" type="Binary" order="descending""#,
                #"property="born" type="Binary" order="ascending""#,
                "Base: index byBorn (born descending, age) → (born, age)"
            ),
            (#"<entry key="IsPlaceholder" value="NO"/>"#, "", "Base: user info “IsPlaceholder” NO removed"),
            (
                #"coreSpotlightDisplayNameExpression="code""#, #"coreSpotlightDisplayNameExpression="age""#,
                "Child: Spotlight display name code → age"
            ),
            (
                #"userDefinedModelVersionIdentifier="v7""#, #"userDefinedModelVersionIdentifier="v8""#,
                "model: version identifier v7 → v8"
            ),
            (
                #"<memberEntity name="Part"/>"#, #"<memberEntity name="Part"/><memberEntity name="Base"/>"#,
                "model: configuration Cloud (Part) → (Base, Part)"
            ),
            (
                #"predicateString="number &lt; 3""#, #"predicateString="number &lt; 4""#,
                "Child.cheap: where number < 3 → number < 4"
            ),
        ])
    func entities(old: String, new: String, text: String) throws {
        try expectEqual(Self.texts((old, new)), [text])
    }

    @Test("A changed limit is reported as one removed and one added limit")
    func limits() throws {
        try expectEqual(
            Self.texts((#"maxValueString="150""#, #"maxValueString="160""#)),
            [
                "Base.age: limit SELF <= 160 added", "Base.age: limit SELF <= 150 removed",
            ])
    }

    @Test("Added and removed constraints and fetch requests are reported")
    func constraints() throws {
        try expectEqual(
            Self.texts((#"<constraint value="age"/>"#, "")),
            [
                "* Base: constraint (code) added", "* Base: constraint (code, age) removed",
            ])
        try expectEqual(
            Self.texts((#"<fetchRequest name="Numbered""#, #"<fetchRequest name="Counted""#)).map { $0.prefix(36) },
            [
                "model: fetch request Counted Part, w", "model: fetch request Numbered Part, ",
            ])
    }

    @Test("A property with the renaming identifier of an old one is renamed; any other is new")
    func renamedProperty() throws {
        let old = #"name="ratio" optional="YES" attributeType="Float""#
        try expectEqual(
            Self.texts((old, #"name="quota" elementID="ratio" optional="YES" attributeType="Float""#)),
            [
                "* Base.quota: renamed from ratio (renaming identifier)"
            ])
        try expectEqual(
            Self.texts((old, #"name="quota" optional="YES" attributeType="Float""#)),
            [
                "* Base.quota: attribute added (Float, optional)", "* Base.ratio: attribute removed (Float, optional)",
            ])
    }

    @Test("An entity with the renaming identifier of an old one is renamed; its relationships have the new name")
    func renamedEntity() throws {
        let texts = try Self.texts(
            (
                #"name="Part" representedClassName="Part""#,
                #"name="Piece" elementID="Part" representedClassName="Part""#
            ),
            (#"destinationEntity="Part""#, #"destinationEntity="Piece""#),
            (#"inverseEntity="Part""#, #"inverseEntity="Piece""#),
            (#"entity="Part""#, #"entity="Piece""#), (#"memberEntity name="Part""#, #"memberEntity name="Piece""#))
        expectContains(texts, "* Piece: renamed from Part (renaming identifier)")
        expectContains(texts, "* Base.parts: destination Part → Piece")
        #expect(!texts.contains { $0.hasPrefix("Part") || $0.contains("renaming identifier Part") })
    }

    @Test("The entities whose hash changed for an inherited reason are listed")
    func inheritedHash() throws {
        let comparison = ModelComparison(
            from: try Self.model(), to: try Self.model([(#"name="flag" optional="YES""#, #"name="flag""#)]))
        expectEqual(comparison.entitiesWithChangedHash, ["Base", "Child"])
        expectTrue(comparison.needsMigration)
    }

    @Test("A compiled model equals its source, except for editor settings")
    func compiled() throws {
        let model = try Self.model()
        let compiled = try ModelArchive.decode(try ModelArchive.encode(model, as: .compiled))
        expectEqual(ModelComparison(from: model, to: compiled).differences, [])
        let cached = try ModelArchive.decode(try ModelArchive.encode(model, as: .storeCache))
        expectEqual(
            ModelComparison(from: model, to: cached, scope: .storedPart).differences.filter { $0.entity != nil }, [])
    }

    @Test(
        "Between all versions of a real model each changed hash is explained by a difference",
        .enabled(if: Corpus.isPresent))
    func corpus() throws {
        let versions = try SourceModelBundle(at: try Corpus.url("chat/zmessaging.xcdatamodeld")).versions.sampled(8)
        let models = try versions.map { try ModelFile.load(at: $0.url) }
        for (index, model) in models.enumerated().dropFirst() {
            let comparison = ModelComparison(from: models[index - 1], to: model)
            let explained = Set(comparison.differences.filter(\.changesVersionHash).compactMap(\.entity))
            for name in comparison.entitiesWithChangedHash {
                var entity = model.entity(named: name)
                while let current = entity, !explained.contains(current.name ?? "") { entity = current.superentity }
                #expect(entity != nil, "\(versions[index].name): \(name)")
            }
            // Only differences that change a hash are marked.
            let changed = Set(comparison.entitiesWithChangedHash)
            for difference in comparison.differences
            where difference.changesVersionHash && difference.aspect != "entity" {
                expectContains(changed, difference.entity ?? "", "\(versions[index].name): \(difference.text)")
            }
        }
    }
}
