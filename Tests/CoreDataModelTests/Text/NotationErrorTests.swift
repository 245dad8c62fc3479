import CoreDataModel
import Testing

@Suite("Errors in the text notation name file, line and column, and say what was expected")
struct NotationErrorTests {
    struct BadText: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let words: String
        var entity: String?
        var key: String?
        var testDescription: String { words }
    }

    static let badTexts = [
        BadText(text: "entty Song {}", line: 1, column: 1, words: "Did you mean 'entity'?"),
        BadText(
            text: "A {\n  atribute x: string\n}", line: 2, column: 3, words: "Did you mean 'attribute'", entity: "A"),
        BadText(
            text: "A { attribute x: sting }", line: 1, column: 18, words: "Did you mean 'string'", entity: "A", key: "x"
        ),
        BadText(
            text: "A { attribute x: integer }", line: 1, column: 18, words: "write integer16, integer32 or integer64",
            entity: "A", key: "x"),
        BadText(
            text: "A { attribute x }", line: 1, column: 17,
            words: "expected ':' and the type of attribute 'x', found '}'", entity: "A", key: "x"),
        BadText(
            text: "A { attribute x: string, requird }", line: 1, column: 26,
            words: "'requird' is not an option of an attribute. Did you mean 'required'",
            entity: "A", key: "x"),
        BadText(
            text: "A { attribute x: string required }", line: 1, column: 25, words: "expected ',' and an option",
            entity: "A", key: "x"),
        BadText(
            text: "A { x: string, required, optional }", line: 1, column: 26, words: "contradicts", entity: "A",
            key: "x"
        ),
        BadText(
            text: "composite C {\n  x: double\n  x: string\n}\nA {\n  place: composite C\n}", line: 3, column: 3,
            words: "two elements of the composite 'C' are named 'x'", entity: "A", key: "place"),
        BadText(
            text: "composite C {\n  x: double, derived: \"a\"\n}\nA {\n  place: composite C\n}", line: 5, column: 3,
            words: "the derived element 'x'", entity: "A", key: "place"),
        BadText(
            text: "A {\n  x: string, default: integer 3\n}", line: 2, column: 3,
            words: "the default value of attribute 'x' of entity 'A' is of the class", entity: "A", key: "x"),
        BadText(
            text: "A { x: integer16, default: abc }", line: 1, column: 28,
            words: "'abc' is no Integer 16", entity: "A", key: "x"),
        BadText(
            text: "A { x: integer16, default: 1.5 }", line: 1, column: 28, words: "'1.5' is no Integer 16",
            entity: "A", key: "x"),
        BadText(
            text: "A { x: integer16, default: 1, default: 2 }", line: 1, column: 31, words: "specified twice",
            entity: "A",
            key: "x"),
        BadText(
            text: "A { x: boolean, default: maybe }", line: 1, column: 26,
            words: "'maybe' is no Boolean. Write true or false", entity: "A",
            key: "x"),
        BadText(
            text: "A { x: date, default: \"2001-02-30\" }", line: 1, column: 23, words: "is no Date. Write 2026-11-17",
            entity: "A",
            key: "x"),
        BadText(
            text: "A { x: uuid, default: \"12\" }", line: 1, column: 23, words: "is no UUID", entity: "A", key: "x"
        ),
        BadText(
            text: "A { x: binary, default: \"12\" }", line: 1, column: 25, words: "must name its type", entity: "A",
            key: "x"),
        BadText(
            text: "A { x: string, min: 3 }", line: 1, column: 21, words: "write 'min-length'", entity: "A", key: "x"),
        BadText(
            text: "A { x: integer16, min-length: 3 }", line: 1, column: 31, words: "only strings have a length",
            entity: "A", key: "x"),
        BadText(
            text: "A { x: boolean, min: 3 }", line: 1, column: 22, words: "only numbers and dates", entity: "A",
            key: "x"),
        BadText(
            text: "A { to-one b: A, delete: nulify }", line: 1, column: 26, words: "Did you mean 'nullify'",
            entity: "A", key: "b"),
        BadText(
            text: "A { to-many b: A, max: 1 }", line: 1, column: 13, words: "write 'to-one b'", entity: "A", key: "b"),
        BadText(
            text: "A { to-one b: A, max: 2 }", line: 1, column: 12, words: "write 'to-many b'", entity: "A", key: "b"),
        BadText(
            text: "A { to-one b: A, min: x }", line: 1, column: 23, words: "expected a whole number", entity: "A",
            key: "b"),
        BadText(
            text: "A {\n to-one b: B\n}", line: 2, column: 9, words: "destination entity 'B'", entity: "A", key: "b"),
        BadText(
            text: "A {\n to-one b: A, inverse: c\n}", line: 2, column: 9, words: "inverse 'c'", entity: "A", key: "b"),
        BadText(
            text: "A { }\nA { }", line: 2, column: 1, words: "two entities are named 'A'", entity: "A", key: "name"),
        BadText(
            text: "A { x: string; x: string }", line: 1, column: 16, words: "two properties", entity: "A", key: "x"),
        BadText(text: "A: B { }", line: 1, column: 1, words: "parent 'B'", entity: "A", key: "parentEntity"),
        BadText(
            text: "A: B { }; B: A { }", line: 1, column: 1, words: "inherits from itself", entity: "A",
            key: "parentEntity"),
        BadText(text: "A { x: string", line: 1, column: 3, words: "has no '}'", entity: "A", key: "x"),
        BadText(text: "A { x: string } }", line: 1, column: 17, words: "expected a statement (entity, "),
        BadText(
            text: "A { x: string, hash-modifier: \"abc\n}", line: 1, column: 31, words: "doesn't end on its line",
            entity: "A", key: "x"),
        BadText(
            text: #"A { x: string, matches: "\d" }"#, line: 1, column: 27, words: "write a text with many '\\' as",
            entity: "A", key: "x"),
        BadText(text: "A { } /* never", line: 1, column: 7, words: "comment doesn't end", entity: "A"),
        BadText(text: "A { x: string, (", line: 1, column: 16, words: "'(' is not allowed here", entity: "A", key: "x"),
        BadText(text: "é { ü: string ?", line: 1, column: 15, words: "'?' is not allowed here", entity: "é", key: "ü"),
        BadText(
            text: "A { unique x }", line: 1, column: 1, words: "names 'x', which is not one of its properties",
            entity: "A", key: "x"),
        BadText(
            text: "A { index i: x }", line: 1, column: 1, words: "names 'x', which is not one of its properties",
            entity: "A",
            key: "x"),
        BadText(
            text: "A { x: string; index i: x upward }", line: 1, column: 27,
            words: "'upward' is not an option of an index", entity: "A", key: "i"),
        BadText(text: "A { x: composite C }", line: 1, column: 5, words: "composite 'C'", entity: "A", key: "x"),
        BadText(text: "configuration C { A }", line: 1, column: 19, words: "member 'A'", entity: "A", key: "C"),
        BadText(
            text: "fetch F: A", line: 1, column: 7, words: "entity 'A' of fetch request 'F'", entity: "A", key: "F"),
        BadText(
            text: "A {}; fetch F: A, predicate: \"x == ==\"", line: 1, column: 13, words: "predicate 'x == =='",
            entity: "A", key: "F"),
        BadText(
            text: "A {}; fetch F: A { sort x by size }", line: 1, column: 30, words: "is not a comparison method",
            key: "F"),
        BadText(
            text: "A { fetched f, limit: 3 }", line: 1, column: 13, words: "has fetch options but no entity",
            entity: "A", key: "f"),
        BadText(
            text: "A { user-info { a: b, a: c } }", line: 1, column: 23, words: "the key 'a' is there twice",
            entity: "A"),
        BadText(
            text: "A { user-info { a: integer b } }", line: 1, column: 28,
            words: "'b' is not a valid value of type integer", entity: "A"),
        BadText(text: "A { user-info { a: [b c] } }", line: 1, column: 23, words: "expected ',' or ']'", entity: "A"),
        BadText(text: "model { version: 1 }; model { }", line: 1, column: 23, words: "a second 'model' block"),
        BadText(text: "model { langage: Swift }", line: 1, column: 9, words: "Did you mean 'language'"),
        BadText(text: "localization { a: b; a: c }", line: 1, column: 22, words: "is there twice"),
        BadText(text: "{ }", line: 1, column: 1, words: "expected a statement"),
        BadText(text: "A = { }", line: 1, column: 3, words: "write '{' without '='", entity: "A"),
        BadText(text: "model = { }", line: 1, column: 7, words: "write '{' without '='", entity: "model"),
        BadText(text: "A { x = string }", line: 1, column: 7, words: "write ':' in place of '='", entity: "A"),
        BadText(
            text: "A { attribute x = string }", line: 1, column: 17, words: "write ':' in place of '='", entity: "A",
            key: "x"),
        BadText(
            text: "A { class = Thing }", line: 1, column: 5,
            words: "'class' is an option of the entity; write ', class:' before its '{'", entity: "A"),
        BadText(
            text: "A { to-one-relationship b: A }", line: 1, column: 5,
            words: "expected one of attribute, to-one, to-many", entity: "A"),
        BadText(
            text: "A { to-one b: A, delete-rule: nullify }", line: 1, column: 18,
            words: "expected one of inverse, inverse-entity, delete, ", entity: "A", key: "b"),
        BadText(
            text: "A {}; fetch F: A, where: \"x\"", line: 1, column: 19, words: "expected one of predicate, limit",
            key: "F"),
    ]

    @Test("An error has position and reason", arguments: badTexts)
    func errors(bad: BadText) throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(bad.text, to: "Bad.coredata")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: url) }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
        expectContains(
            error.localizedDescription, "line \(bad.line), column \(bad.column)",
            "\(error.localizedDescription)")
        expectContains(error.localizedDescription, bad.words, "\(error.localizedDescription)")
        #expect(error.userInfo[ModelFileError.entityKey] as? String == bad.entity, "\(error.localizedDescription)")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == bad.key, "\(error.localizedDescription)")
    }

    @Test("A file without the extension of the text notation gets a general error")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write("Dear reader, this is no model.", to: "Letter.txt")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: url) }
        expectContains(error.localizedDescription, "neither XML nor a compiled model")
    }

    @Test("Values without a text form are refused with entity and key")
    func unwritable() throws {
        let model = CarModel.make()
        model.entitiesByName["Car"]?.attributesByName["color"]?.defaultValue = NSObject()
        let error = try #require(throws: CocoaError.self) { try TextNotation.text(of: model) }
        expectEqual(error.code, .fileWriteUnknown)
        #expect(error.userInfo[ModelFileError.entityKey] as? String == "Car")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "color")
    }
}
