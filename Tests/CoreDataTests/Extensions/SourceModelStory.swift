import CoreData
import Testing

/// A program with models that it reads from their sources.
@Suite("Story 2: a model's life as a source")
struct SourceModelStory {
    private static func source(_ folder: TemporaryFolder, _ name: String, titleIsOptional: Bool = true) throws {
        let version = folder.file(name + ".xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let optional = titleIsOptional ? #"optional="YES" "# : ""
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Book" syncable="YES">
                    <attribute name="title" \(optional)attributeType="String"/>
                </entity>
            </model>
            """.utf8
        ).write(to: version.appendingPathComponent("contents"))
    }

    @Test("A model is loaded by URL, whatever its name, and merged from a list of bundles")
    func loading() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try Self.source(folder, "AnyName")
        let loaded = try requireValue(NSManagedObjectModel(contentsOf: folder.file("AnyName.xcdatamodel")))
        expectEqual(loaded.entitiesByName["Book"]?.attributesByName["title"]?.attributeType, .stringAttributeType)
        let bundles = try [folder, other].map { try requireValue(Bundle(url: $0.url)) }
        expectEqual(
            NSManagedObjectModel.mergedModel(from: bundles)?.entityVersionHashesByName,
            loaded.entityVersionHashesByName)
        expectEqual(NSManagedObjectModel.mergedModel(from: [bundles[1]]), nil)
        expectEqual(NSManagedObjectModel(contentsOf: folder.file("None.momd")), nil)
    }

    @Test("A renamed model beside its old form merges while they are equal, and is refused once they differ")
    func renamed() throws {
        let folder = try TemporaryFolder()
        let bundle = try requireValue(Bundle(url: folder.url))
        try Self.source(folder, "Old")
        try Self.source(folder, "New")
        expectEqual(NSManagedObjectModel.mergedModel(from: [bundle])?.entities.count, 1)
        try Self.source(folder, "New", titleIsOptional: false)
        expectEqual(NSManagedObjectModel.mergedModel(from: [bundle]), nil)
    }

    #if compiler(>=6.2)
        @Test("The refusal says which two entities, of which files, and what was probably left over")
        func refusalText() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let folder = try TemporaryFolder()
                try Self.source(folder, "Old")
                try Self.source(folder, "New", titleIsOptional: false)
                _ = NSManagedObjectModel.mergedModel(from: [try requireValue(Bundle(url: folder.url))])
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Can't merge models with two different entities named 'Book'", "\(text)")
            expectContains(text, "Old.xcdatamodel")
            expectContains(text, "New.xcdatamodel")
            expectContains(text, "If a model was renamed")
        }
    #endif

    @Test(
        "Names for people come from the strings file named after the model, or from code before first use",
        arguments: ["file", "code"])
    func localization(origin: String) throws {
        let folder = try TemporaryFolder()
        try Self.source(folder, "JimsModel", titleIsOptional: false)
        if origin == "file" {
            try FileManager.default.createDirectory(at: folder.file("en.lproj"), withIntermediateDirectories: true)
            try Data(#""Property/title/Entity/Book" = "Book Title";"#.utf8).write(
                to: folder.file("en.lproj/JimsModelModel.strings"))
        }
        let model = try requireValue(NSManagedObjectModel(contentsOf: folder.file("JimsModel.xcdatamodel")))
        if origin == "code" { model.localizationDictionary = ["Property/title": "Book Title"] }
        try withStack(.memory, model: model) { stack in
            stack.context.make("Book")
            expectEqual(
                thrownError { try stack.context.save() }?.localizedDescription, "Book Title is a required value.")
        }
    }
}
