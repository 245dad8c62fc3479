import CoreDataModel
import Testing

@Suite("Checks of relationships")
struct RelationshipCheckTests {
    private static let songs = """
        <entity name="Artist"><relationship name="songs" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Song" inverseName="artist"/></entity>
        <entity name="Song"><relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Artist" inverseName="songs"/></entity>
        """

    @Test("A valid model has no findings")
    func sound() throws {
        expectEmpty(try LintedModel(Self.songs).findings)
    }

    @Test("A relationship without an inverse is reported with entity, key and line")
    func noInverse() throws {
        let findings = try LintedModel(
            """
            <entity name="Artist"/>
            <entity name="Song">
            <relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist"/>
            </entity>
            """
        ).findings
        expectEqual(
            findings,
            [
                ModelFinding(
                    .warning, .inverse, entity: "Song", key: "artist", line: 3, "Song.artist should have an inverse")
            ])
        expectEqual(
            findings.first?.text(path: "a/contents"), "a/contents:3: warning: Song.artist should have an inverse")
    }

    @Test("An inverse with another inverse is reported on both sides")
    func notMutual() throws {
        let model = try LintedModel(
            """
            <entity name="Artist">
            <relationship name="songs" toMany="YES" deletionRule="Nullify" destinationEntity="Song" \
            inverseName="artist"/>
            <relationship name="hits" toMany="YES" deletionRule="Nullify" destinationEntity="Song" \
            inverseName="artist"/>
            </entity>
            <entity name="Song"><relationship name="artist" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Artist" inverseName="songs"/></entity>
            """)
        expectEqual(
            model.messages(.inverse),
            [
                """
                Artist.hits has the inverse Song.artist, whose inverse is 'songs': two relationships should be the \
                inverse of each other
                """
            ])
    }

    @Test("An inverse without an inverse is reported")
    func oneSided() throws {
        let model = try LintedModel(
            """
            <entity name="Artist"><relationship name="songs" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Song" inverseName="artist"/></entity>
            <entity name="Song"><relationship name="artist" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Artist"/></entity>
            """)
        expectEqual(
            model.messages(.inverse),
            [
                """
                Artist.songs has the inverse Song.artist, which has no inverse: two relationships should be the \
                inverse of each other
                """,
                "Song.artist should have an inverse",
            ])
    }

    @Test("The delete rule No Action is reported for relationships with an inverse")
    func noAction() throws {
        let model = try LintedModel(Self.songs.replacingOccurrences(of: "\"Nullify\"", with: "\"No Action\""))
        expectEqual(
            model.messages(.deleteRule),
            [
                "Song.artist has the delete rule No Action, which may leave relationships to deleted objects"
            ])
    }

    @Test("Delete rules that cascade in both directions are reported once")
    func circleOfTwo() throws {
        let model = try LintedModel(Self.songs.replacingOccurrences(of: "\"Nullify\"", with: "\"Cascade\""))
        expectEqual(
            model.messages(.cascadeCycle),
            [
                "Artist.songs is in a cycle of cascading delete rules: Artist.songs → Song.artist → Artist.songs"
            ])
    }

    @Test("A cycle of cascades through three entities and a subentity is reported")
    func circleOfThree() throws {
        func cascade(_ name: String, _ destination: String) -> String {
            """
            <relationship name=\"\(name)\" toMany=\"YES\" deletionRule=\"Cascade\" \
            destinationEntity=\"\(destination)\"/>
            """
        }
        let model = try LintedModel(
            """
            <entity name="A">\(cascade("b", "B"))</entity><entity name="B"/>
            <entity name="C" parentEntity="B">\(cascade("d", "D"))</entity><entity \
            name="D">\(cascade("a", "A"))</entity>
            """)
        expectEqual(
            model.messages(.cascadeCycle), ["A.b is in a cycle of cascading delete rules: A.b → C.d → D.a → A.b"])
    }

    @Test("A tree that cascades to its children is not a cycle")
    func tree() throws {
        let model = try LintedModel(
            """
            <entity name="Folder">
            <relationship name="children" toMany="YES" deletionRule="Cascade" destinationEntity="Folder" \
            inverseName="parent"/>
            <relationship name="parent" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" \
            inverseName="children"/>
            </entity>
            """)
        expectEmpty(model.messages(.cascadeCycle))
    }

    @Test("A relationship that cascades to its own inverse is reported")
    func ownInverse() throws {
        let model = try LintedModel(
            """
            <entity name="Person"><relationship name="friends" toMany="YES" deletionRule="Cascade" \
            destinationEntity="Person" inverseName="friends"/></entity>
            """)
        expectEqual(
            model.messages(.cascadeCycle),
            [
                """
                Person.friends cascades to its own inverse: deleting one object deletes all that can be reached \
                from it
                """
            ])
    }

    @Test("A minimum count above the maximum, and an ordered to-one relationship, are reported")
    func counts() throws {
        let model = try LintedModel(
            """
            <entity name="A">
            <relationship name="many" toMany="YES" minCount="5" maxCount="3" deletionRule="Nullify" \
            destinationEntity="A" inverseName="many"/>
            <relationship name="one" maxCount="1" ordered="YES" deletionRule="Nullify" destinationEntity="A" \
            inverseName="one"/>
            </entity>
            """)
        expectEqual(
            model.messages(.limits),
            [
                "A.many has a minimum count (5) greater than its maximum count (3)",
                "A.one is ordered, but is a to-one relationship",
            ])
    }
}
