import CoreDataModel
import Testing

@Suite("Checks of entities, names and requests")
struct EntityCheckTests {
    @Test("An invalid class name is reported", arguments: ["My Class", "3D", "A..B", "class", "App."])
    func illegalClass(name: String) throws {
        let model = try LintedModel("<entity name=\"Song\" representedClassName=\"\(name)\"/>")
        expectEqual(
            model.messages(.className),
            [
                """
                entity 'Song' names the class '\(name)', which is not a valid class name
                """
            ])
    }

    @Test("A class name that is a misspelled entity name is reported", arguments: ["Sogn", "Sing", ".Soong", "song"])
    func misspelledClass(name: String) throws {
        let messages = try LintedModel("<entity name=\"Song\" representedClassName=\"\(name)\"/>").messages(.className)
        expectEqual(messages.count, 1)
        expectEqual(messages.first?.hasSuffix("which looks like a misspelled 'Song'"), true)
    }

    @Test(
        "Class names of all forms, prefixes, plurals and numbers are good",
        arguments: [
            "Song", ".Song", "App.Song", "MYSong", "Songs", "Song2", "ManagedSong", "NSManagedObject", "",
        ])
    func goodClass(name: String) throws {
        expectEmpty(try LintedModel("<entity name=\"Song\" representedClassName=\"\(name)\"/>").findings)
    }

    @Test("A generated class needs a name")
    func generatedClass() throws {
        try expectEqual(
            LintedModel("<entity name=\"Song\" codeGenerationType=\"class\"/>").messages(.className).count, 1)
    }

    @Test("An abstract entity needs children")
    func abstract() throws {
        try expectEqual(
            LintedModel("<entity name=\"A\" isAbstract=\"YES\"/>").messages(.abstract),
            [
                "A is an abstract entity that has no children"
            ])
        expectEmpty(
            try LintedModel("<entity name=\"A\" isAbstract=\"YES\"/><entity name=\"B\" parentEntity=\"A\"/>").findings
        )
    }

    @Test(
        "Names of members of managed objects, keywords and invalid names are reported",
        arguments: [
            ("description", "conflicts with a member of that name of NSManagedObject or NSObject"),
            ("objectID", "conflicts with a member of that name of NSManagedObject or NSObject"),
            ("default", "has the name of a Swift keyword"),
            (
                "first name",
                "has a name that should begin with a letter and contain only letters, digits and underscores"
            ),
        ])
    func propertyNames(name: String, problem: String) throws {
        let model = try LintedModel(
            "<entity name=\"A\"><attribute name=\"\(name)\" attributeType=\"String\"/></entity>")
        expectEqual(model.messages(.name), ["A.\(name) \(problem)"])
    }

    @Test("Names that differ by case only are reported, including inherited ones")
    func alike() throws {
        let model = try LintedModel(
            """
            <entity name="song"/><entity name="Song"><attribute name="title" attributeType="String"/></entity>
            <entity name="Hit" parentEntity="Song"><attribute name="Title" attributeType="String"/></entity>
            """)
        expectEqual(
            model.messages(.name),
            [
                "the entities 'Song' and 'song' differ by case only",
                "Hit.Title and the property 'title' differ by case only",
            ])
    }

    @Test("An index or constraint over a property that isn't stored is reported")
    func indexes() throws {
        let model = try LintedModel(
            """
            <entity name="A"><attribute name="t" transient="YES" attributeType="String"/>
            <relationship name="many" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="many"/>
            <fetchIndex name="byT"><fetchIndexElement property="t" type="Binary" order="ascending"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint><constraint \
            value="many"/></uniquenessConstraint></uniquenessConstraints></entity>
            """)
        expectEqual(
            model.messages(.index),
            [
                "the index 'byT' of entity 'A' names 't', which is transient",
                "the uniqueness constraint (many) of entity 'A' names 'many', which is a to-many relationship",
            ])
    }

    @Test("A constraint over an unknown property is an error in a model made in code")
    func missingProperty() throws {
        let model = try LintedModel("<entity name=\"A\"><attribute name=\"title\" attributeType=\"String\"/></entity>")
        { model in
            model.entity(named: "A")?.uniquenessConstraints = [["titel"]]
        }
        expectEqual(
            model.messages(.index),
            [
                """
                the uniqueness constraint (titel) of entity 'A' names 'titel', which is not one of its properties; did \
                you \
                mean 'title'?
                """
            ])
        expectEqual(model.findings.map(\.severity), [.error])
    }

    @Test("More than a hundred properties are reported")
    func propertyCount() throws {
        let attributes = (0...100).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
        try expectEqual(
            LintedModel("<entity name=\"A\">\(attributes)</entity>").messages(.propertyCount),
            ["A has 101 properties; more than 100 are many for one entity"])
    }

    @Test("Duplicate renaming identifiers are reported")
    func renaming() throws {
        let model = try LintedModel(
            """
            <entity name="A"><attribute name="x" attributeType="String" elementID="y"/><attribute name="y" \
            attributeType="String"/></entity>
            <entity name="B" elementID="A"/>
            """)
        expectEqual(
            model.messages(.renaming),
            [
                "A.y and 'x' have the same renaming identifier 'y'",
                "the entities 'A' and 'B' have the same renaming identifier 'A'",
            ])
    }

    @Test("A template and a constraint with the former name of a property are told the present one")
    func renamedProperty() throws {
        let model = try LintedModel(
            """
            <entity name="A"><attribute name="title" attributeType="String" elementID="label"/></entity>
            <fetchRequest name="old" entity="A" predicateString="label == 'x'"/>
            """
        ) { $0.entity(named: "A")?.uniquenessConstraints = [["label"]] }
        expectEqual(
            model.messages(.fetchRequest),
            [
                """
                the fetch request 'old' names 'label', but entity 'A' has no property 'label': it is named 'title' now
                """
            ])
        expectEqual(
            model.messages(.index).first?.hasSuffix("which is not one of its properties: it is named 'title' now"),
            true)
    }

    @Test("A template with an unknown key is reported; key paths, variables and subentities are known")
    func templates() throws {
        let model = try LintedModel(
            """
            <entity name="Artist"><attribute name="name" attributeType="String"/>
            <relationship name="songs" toMany="YES" deletionRule="Nullify" destinationEntity="Song" \
            inverseName="artist"/></entity>
            <entity name="Song"><attribute name="title" attributeType="String"/>
            <relationship name="artist" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" \
            inverseName="songs"/></entity>
            <entity name="Hit" parentEntity="Song"><attribute name="rank" attributeType="String"/></entity>
            <fetchRequest name="good" entity="Song" predicateString="artist.name == $NAME AND rank == '1' AND \
            title.length &gt; 3 AND artist.songs.@count &gt; 2 AND SUBQUERY(artist.songs, $s, $s.title == \
            title).@count == 0"/>
            <fetchRequest name="bad" entity="Song" predicateString="artist.nmae == $NAME"/>
            <fetchRequest name="through" entity="Song" predicateString="title.artist == nil"/>
            """)
        expectEqual(
            model.messages(.fetchRequest),
            [
                """
                the fetch request 'bad' names 'artist.nmae', but entity 'Artist' has no property 'nmae'; did you \
                mean 'name'?
                """,
                """
                the fetch request 'through' names 'title.artist', but 'artist' follows a value that is not an \
                object
                """,
            ])
    }

    @Test("Unknown localization keys are reported")
    func localization() throws {
        let model = try LintedModel(
            "<entity name=\"Song\"><attribute name=\"title\" attributeType=\"String\"/></entity>"
        ) { model in
            model.localizationDictionary = [
                "Entity/Song": "Lied", "Property/title": "Titel", "Property/title/Entity/Song": "Titel",
                "ErrorString/a/b": "c",
                "Entity/Sogn": "", "Property/titel": "", "Property/title/Entity/Album": "", "song": "",
            ]
        }
        expectEqual(
            model.messages(.localization),
            [
                """
                the localization key 'Entity/Sogn' names the entity 'Sogn', which the model doesn't have; did you \
                mean 'Song'?
                """,
                """
                the localization key 'Property/titel' names the property 'titel', which no entity has; did you \
                mean 'title'?
                """,
                """
                the localization key 'Property/title/Entity/Album' names the entity 'Album', which the model \
                doesn't have
                """,
                """
                the localization key 'song' has none of the forms Entity/NAME, Property/NAME, \
                Property/NAME/Entity/NAME and \
                ErrorString/TEXT
                """,
            ])
    }

    @Test("CloudKit's rules are checked for models that are used with CloudKit only")
    func cloudKit() throws {
        let elements = """
            <entity name="A"><attribute name="x" attributeType="String"/>
            <relationship name="r" toMany="YES" ordered="YES" deletionRule="Deny" destinationEntity="A"/>
            <uniquenessConstraints><uniquenessConstraint><constraint \
            value="x"/></uniquenessConstraint></uniquenessConstraints></entity>
            """
        try expectEqual(LintedModel(elements, attributes: "usedWithCloudKit=\"YES\"").messages(.cloudKit).count, 6)
        expectEmpty(try LintedModel(elements).messages(.cloudKit))
    }

    @Test("Misspelled attributes and elements of a source are reported with the most similar name")
    func spelling() throws {
        let text = """
            <model><entity name="A" isAbtract="YES">
            <atribute name="x"/>
            </entity></model>
            """
        let root = try SourceXMLReader.read(Data(text.utf8), from: URL(fileURLWithPath: "/contents"))
        let findings = SourceSpellingCheck.findings(in: root)
        expectEqual(
            findings.map(\.message),
            [
                "the attribute 'isAbtract' of <entity> is unknown, and ignored; did you mean 'isAbstract'?",
                "the element <atribute> in <entity> is unknown, and ignored; did you mean 'attribute'?",
            ])
        expectEqual(findings.map(\.line), [1, 2])
    }

    @Test("All elements that Xcode writes are known", .enabled(if: Corpus.isPresent))
    func corpusSpelling() throws {
        for bundle in ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld"] {
            for version in try SourceModelBundle(at: Corpus.url(bundle)).versions.sampled(12) {
                let file = version.url.appendingPathComponent("contents")
                let root = try SourceXMLReader.read(ModelFile.contents(of: file), from: file)
                expectEmpty(SourceSpellingCheck.findings(in: root), "\(version.name)")
            }
        }
    }

    @Test("Findings of equal models are in equal order")
    func order() throws {
        let model = CarModel.make()
        let copy = try requireValue(model.copy() as? NSManagedObjectModel)
        copy.entities = copy.entities.reversed()
        expectEqual(ModelLint.findings(in: model), ModelLint.findings(in: copy))
    }

    @Test("A control character in a name doesn't reach the terminal")
    func controlCharacters() {
        let finding = ModelFinding(.warning, .name, "a\u{1B}[31m\nb")
        expectEqual(finding.text(path: "p"), "p: warning: a\\u{1b}[31m\\u{a}b")
    }
}
