import Testing

@testable import CoreDataModel

@Suite("Meaning of the text notation")
struct NotationSyntaxTests {
    private func read(_ text: String) throws -> NSManagedObjectModel {
        try TextNotation.read(Data(text.utf8), from: URL(fileURLWithPath: "/Model.coredata"))
    }

    private func attribute(_ text: String) throws -> NSAttributeDescription {
        let model = try read("A { attribute x: \(text) }")
        return try requireValue(model.entitiesByName["A"]?.attributesByName["x"])
    }

    @Test("An entity can be written on one line")
    func oneLine() throws {
        let model = try read(
            """
            Song { attribute title: string; to-one artist: Artist, inverse: songs, delete: nullify }
            Artist { attribute name: string; to-many songs: Song, inverse: artist, delete: cascade }
            """)
        let song = try requireValue(model.entitiesByName["Song"])
        expectEqual(song.attributesByName["title"]?.attributeType, .stringAttributeType)
        expectEqual(song.relationshipsByName["artist"]?.isToMany, false)
        expectEqual(song.relationshipsByName["artist"]?.inverseRelationship?.deleteRule, .cascadeDeleteRule)
        expectEqual(song.managedObjectClassName, "NSManagedObject")
    }

    @Test("A property is optional unless it is declared required, and has no default value unless it declares one")
    func optional() throws {
        expectTrue(try attribute("integer32").isOptional)
        #expect(try attribute("integer32").defaultValue == nil)
        expectTrue(try attribute("integer32, optional").isOptional)
        expectFalse(try attribute("integer32, required").isOptional)
        expectTrue(try attribute("integer32, required: no").isOptional)
        expectFalse(try attribute("integer32, optional: no").isOptional)
    }

    @Test("The parent stands after a colon, the class after 'as'")
    func heads() throws {
        let model = try read(
            "abstract entity Item as .Item\nentity Book: Item as Library.Book, renamed-from: Tome { pages: int32 }")
        let book = try requireValue(model.entitiesByName["Book"])
        expectEqual(book.superentity?.name, "Item")
        expectEqual(book.superentity?.isAbstract, true)
        expectEqual(book.managedObjectClassName, "Library.Book")
        expectEqual(book.renamingIdentifier, "Tome")
        expectEqual(book.attributesByName["pages"]?.attributeType, .integer32AttributeType)
        expectEqual(book.superentity?.managedObjectClassName, ".Item")
    }

    @Test("A keyword is a name if a name is expected, or in quotation marks")
    func keywordsAsNames() throws {
        let model = try read(
            """
            entity model { attribute attribute: string; index: integer16; transient: boolean; to-one unique: entity }
            configuration as configuration { fetched: string }
            entity entity { }
            "abstract" { "to-many": string; user-info: date }
            """)
        expectEqual(Set(model.entitiesByName.keys), ["model", "configuration", "entity", "abstract"])
        expectEqual(
            Set(try requireValue(model.entitiesByName["model"]).propertiesByName.keys),
            [
                "attribute", "index", "transient", "unique",
            ])
        expectEqual(
            Set(try requireValue(model.entitiesByName["abstract"]).propertiesByName.keys), ["to-many", "user-info"])
    }

    @Test("Comments and line breaks are allowed between all tokens")
    func comments() throws {
        let model = try read(
            """
            // first\r\nA /* an entity */ {\r\n  attribute x: string, // why\r\n    required /* so\r\n \
            */\r\n\r\n}\r\n// last
            """
        )
        expectEqual(model.entitiesByName["A"]?.attributesByName["x"]?.isOptional, false)
    }

    @Test("Names and texts can contain any character")
    func anyCharacter() throws {
        let texts = [
            "a b", "", "\"", "\\", "\"#", "\"##\\", "#\"", "\n\r\t",
            "\u{0}\u{7F}\u{85}", "é", "名前", "👩‍👩‍👧", "\u{202E}",
            "{", "//", "/*",
        ]
        for text in texts {
            let quoted = TextNotationText.text(text)
            let name = TextNotationText.name(text)
            #expect(!quoted.contains { $0.isNewline }, "\(quoted)")
            let model = try read("A { user-info { \(name): \(quoted) } }")
            #expect(model.entitiesByName["A"]?.userInfo?[text] as? String == text, "\(quoted)")
        }
    }

    @Test(
        "Dates are written as people read them",
        arguments: [
            ("2001-01-01", 0.0), ("2001-01-01T00:00:01Z", 1), ("2000-02-29T12:00:00Z", -26_481_600),
            ("1600-02-29", -12_649_305_600),
            ("0001-01-01", -63_114_076_800), ("9999-12-31T23:59:59Z", 252_423_993_599),
        ])
    func dates(text: String, interval: Double) throws {
        let written = try requireValue(SourceText.date(SourceText.shortest(interval)))
        expectTrue(written.hasPrefix(text))
        try expectEqual(SourceText.checked(written, type: .dateAttributeType), SourceText.shortest(interval))
        #expect(
            try attribute("date, default: \"\(text)\"").defaultValue as? Date
                == Date(timeIntervalSinceReferenceDate: interval))
    }

    @Test(
        "An invalid date is refused",
        arguments: [
            "2001-02-29", "2001-13-01", "2001-00-10", "2001-01-32", "2001-01-01T24:00:00Z", "2001-01-01 00:00:00",
            "01-01-2001", "", "yesterday",
        ])
    func noDates(text: String) {
        #expect(throws: CocoaError.self) { try attribute("date, default: \"\(text)\"") }
    }

    @Test("Predicates that are not limits have their own warning")
    func predicates() throws {
        let x = try attribute(
            #"integer32, max: 9 { predicate "SELF >= 0" warning "Process ID < 0"; predicate "SELF != 3" warning 1234 }"#
        )
        expectEqual(x.validationPredicates.map(\.predicateText), ["SELF <= 9", "SELF >= 0", "SELF != 3"])
        expectEqual((x.validationWarnings[0] as? NSNumber)?.intValue, 1610)
        #expect(x.validationWarnings[1] as? String == "Process ID < 0")
        expectEqual((x.validationWarnings[2] as? NSNumber)?.intValue, 1234)
    }

    @Test("Constants without a text form are arguments of the predicate")
    func arguments() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86400)
        let x = try attribute(#"date { predicate "SELF != %@" with [date "2001-01-02"] warning "not that day" }"#)
        let predicate = try requireValue(x.validationPredicates.first as? NSComparisonPredicate)
        #expect(predicate.rightExpression.constantValue as? Date == day)
        #expect(throws: CocoaError.self) { try attribute(#"date { predicate "SELF != %@" warning "none given" }"#) }
        let model = try read(
            #"A { at: date }; fetch Later: A, predicate: "at > %@ AND at < %@" with [date 0, date 1], limit: 2"#)
        let text = try TextNotation.text(of: model)
        expectContains(
            text, #""at > %@ AND at < %@" with [date "2001-01-01T00:00:00Z", date "2001-01-01T00:00:01Z"], limit: 2"#)
    }

    @Test("A user info contains strings, and values with an explicit type")
    func userInfo() throws {
        let userInfo = try requireValue(
            try attribute(
                """
                string { user-info { plain: YES, number: integer 3; ratio: real 0.5; flag: boolean yes; nothing: null
                    day: date "2001-01-02"; bytes: data "AQI="; list: [a, "b c", integer -1, [ ]]; more: { k: v, deep: \
                { } } } }
                """
            ).userInfo)
        #expect(userInfo["plain"] as? String == "YES")
        expectEqual((userInfo["number"] as? NSNumber)?.intValue, 3)
        expectEqual((userInfo["ratio"] as? NSNumber)?.doubleValue, 0.5)
        expectEqual((userInfo["flag"] as? NSNumber)?.boolValue, true)
        #expect(userInfo["nothing"] is NSNull)
        #expect(userInfo["day"] as? Date == Date(timeIntervalSinceReferenceDate: 86400))
        #expect(userInfo["bytes"] as? Data == Data([1, 2]))
        let list = try requireValue(userInfo["list"] as? [Any])
        expectEqual(list.count, 4)
        #expect(list[1] as? String == "b c")
        expectEqual((list[3] as? [Any])?.isEmpty, true)
        #expect((userInfo["more"] as? [AnyHashable: Any])?["k"] as? String == "v")
    }

    @Test("Settings of the model are the defaults of entities and properties")
    func settings() throws {
        let model = try read(
            """
            A { x: integer16; y: date, scalar; z: boolean, scalar: unset, syncable: no; s: string }
            model { version: "1.2"; language: Swift; syncable: everything; scalars: numbers }
            """)
        let a = try requireValue(model.entitiesByName["A"])
        expectEqual(model.versionIdentifiers, ["1.2"])
        expectEqual(model.sourceAttributes["sourceLanguage"], "Swift")
        expectEqual(model.sourceAttributes["type"], "com.apple.IDECoreDataModeler.DataModel")
        expectEqual(a.ownProperties.map { $0.sourceAttributes["usesScalarValueType"] }, ["YES", "YES", nil, nil])
        expectEqual(a.ownProperties.map { $0.sourceAttributes["syncable"] }, ["YES", "YES", "NO", "YES"])
        expectEqual(a.sourceAttributes["syncable"], "YES")
    }

    @Test("Localized texts of the model are its localization dictionary, those of a strings file come before them")
    func localization() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(
            #"A { x: string }; localization { "Property/x": "X"; "Entity/A": "An A" }"#, to: "Names.coredata")
        let model = try NSManagedObjectModel.load(contentsOf: url)
        expectEqual(model.localizationDictionary, ["Property/x": "X", "Entity/A": "An A"])
        try folder.write(#""Property/x" = "Ex";"#, to: "NamesModel.strings")
        try expectEqual(
            NSManagedObjectModel.load(contentsOf: url).localizationDictionary,
            [
                "Property/x": "Ex", "Entity/A": "An A",
            ])
    }

    @Test("Configurations, fetch requests, indexes and constraints are read")
    func otherParts() throws {
        let model = try read(
            """
            A { a: string; b: double; c: double; unique a; unique a, b
                index byPlace: b rtree, c rtree; index byA: a descending, expression "lowercase:(a)" type string where \
            "a != nil" }
            B {}
            configuration One: A, B
            configuration Two { B }
            fetch All: A, predicate: "a == $A", limit: 3, result: ids, faults: no { sort a; sort b descending }
            """)
        let a = try requireValue(model.entitiesByName["A"])
        expectEqual(a.uniquenessConstraintNames, [["a"], ["a", "b"]])
        expectEqual(a.indexes.map(\.name), ["byPlace", "byA"])
        #expect(a.indexes[0].elements.allSatisfy { $0.collationType == .rTree && $0.isAscending })
        expectEqual(a.indexes[1].elements[0].isAscending, false)
        expectEqual(a.indexes[1].partialIndexPredicate?.predicateText, "a != nil")
        expectEqual(
            (a.indexes[1].elements[1].property as? NSExpressionDescription)?.expressionResultType,
            .stringAttributeType)
        expectEqual(model.entities(forConfigurationName: "One")?.map(\.name), ["A", "B"])
        expectEqual(model.entities(forConfigurationName: "Two")?.map(\.name), ["B"])
        let all = try requireValue(model.fetchRequestTemplate(forName: "All"))
        expectEqual(all.fetchLimit, 3)
        expectEqual(all.resultType, .managedObjectIDResultType)
        expectFalse(all.returnsObjectsAsFaults)
        expectEqual(all.sortDescriptors?.map(\.key), ["a", "b"])
        expectEqual(all.sortDescriptors?.map(\.ascending), [true, false])
    }

    @Test("The content of a file determines its format, not the extension")
    func forms() throws {
        let folder = try TemporaryFolder()
        let text = "Song { title: string }"
        for name in ["Song.coredata", "Song.txt", "Song"] {
            try expectEqual(ModelFile.load(at: folder.write(text, to: name)).entities.map(\.name), ["Song"])
        }
        expectEqual(
            NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("Song.coredata"))?.entities.count, 1)
        let xml = #"<model><entity name="A"/></model>"#
        try expectEqual(ModelFile.load(at: folder.write(xml, to: "XML.coredata")).entities.map(\.name), ["A"])
        let bytes = try folder.write("\u{FEFF}Song { }", to: "Mark.coredata")
        try expectEqual(ModelFile.load(at: bytes).entities.count, 1)
    }
}
