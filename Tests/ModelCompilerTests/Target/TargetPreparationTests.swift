import CoreDataModel
import Testing

@testable import momc

@Suite struct TargetPreparationTests {
    private static let song = """
        <entity name="Song" representedClassName="Song" codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
        </entity>
        """

    @Test func classesOfAModelAreInOneFile() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song + Self.song.replacingOccurrences(of: "Song", with: "Album"))
        try expectEqual(folder.prepare(), 0)
        let text = try folder.text(folder.generatedModel)
        expectContains(text, "class Song: NSManagedObject")
        expectContains(text, "class Album: NSManagedObject")
    }

    @Test func aModelWithoutGeneratedClassesGivesAFileWithoutCode() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song.replacingOccurrences(of: " codeGenerationType=\"class\"", with: ""))
        try expectEqual(folder.prepare(), 0)
        try expectEqual(folder.text(folder.generatedModel), TargetPreparation.nothing)
    }

    @Test func aFileThatWouldBeTheSameIsNotWrittenAgain() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song)
        try expectEqual(folder.prepare(), 0)
        let early = Date(timeIntervalSince1970: 1_000_000_000)
        for file in [folder.generatedModel, folder.accessors, folder.registration] {
            try FileManager.default.setAttributes([.modificationDate: early], ofItemAtPath: file.path)
        }
        try expectEqual(folder.prepare(), 0)
        for file in [folder.generatedModel, folder.accessors, folder.registration] {
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            expectEqual(date, early, "\(file.lastPathComponent) was written again.")
        }
    }

    @Test func anEditedModelChangesItsClasses() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song)
        try expectEqual(folder.prepare(), 0)
        try folder.writeModel(Self.song.replacingOccurrences(of: "title", with: "name"))
        try expectEqual(folder.prepare(), 0)
        expectContains(try folder.text(folder.generatedModel), "var name: String?")
    }

    @Test func anEntityWhoseClassNoSourceDeclaresIsAnError() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song.replacingOccurrences(of: "\"class\"", with: "\"category\""))
        try expectEqual(folder.prepare(), 1)
        try folder.write("import CoreData\nclass Song: NSManagedObject {}\n", to: "Song.swift")
        try expectEqual(folder.prepare(), 0)
    }

    @Test func anInvalidModelFailsAndLeavesTheOldFiles() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song)
        try expectEqual(folder.prepare(), 0)
        let before = try folder.text(folder.generatedModel)
        try folder.writeModel("<entity name=")
        try expectEqual(folder.prepare(), 1)
        try expectEqual(folder.text(folder.generatedModel), before)
    }

    @Test func aSourceThatIsMissingFails() throws {
        let folder = try TargetFolder()
        try folder.writeModel(Self.song)
        try folder.write("", to: "Gone.swift")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Gone.swift"))
        try expectEqual(folder.prepare(), 1)
        expectFalse(FileManager.default.fileExists(atPath: folder.generatedModel.path))
    }

    @Test(arguments: [[], ["/no/such/request.json"], ["one", "two"]])
    func withoutARequestItFails(arguments: [String]) {
        expectEqual(TargetPreparation.run(arguments), 1)
    }

    @Test func aFileThatIsNoRequestFails() throws {
        let folder = try TargetFolder()
        let file = folder.url.appendingPathComponent("request.json")
        try Data("{\"module\": 1".utf8).write(to: file)
        expectEqual(TargetPreparation.run([file.path]), 1)
    }
}
