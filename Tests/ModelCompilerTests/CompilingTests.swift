import Testing

@testable import CoreDataModel

@Suite("momc SOURCE DESTINATION")
struct CompilingTests {
    @Test("A model without versions becomes a file with its hashes")
    func single() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        let run = try await MomcRun(folder.path("Music.xcdatamodel"), folder.path("Out.mom"))
        expectEqual(run.status, 0)
        expectEmpty(run.output)
        expectEmpty(run.errors)
        let compiled = try ModelFile.load(at: folder.url("Out.mom"))
        expectEqual(
            compiled.entityVersionHashesByName,
            (try ModelFile.load(at: folder.url("Music.xcdatamodel")).entityVersionHashesByName))
        try expectEqual(folder.names(), ["Music.xcdatamodel", "Out.mom"])
    }

    @Test("A folder of versions becomes a bundle with all of them, with the current version")
    func bundle() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path("Out.momd")).status, 0)
        let bundle = try CompiledModelBundle(at: folder.url("Out.momd"))
        expectEqual(bundle.versionNames, ["Music", "Music 2"])
        expectEqual(bundle.currentVersionName, "Music 2")
        expectEqual(bundle.versionHashes["Music 2"]?.keys.sorted(), ["Album", "Song"])
        expectEqual(
            bundle.versionChecksums,
            (try NSManagedObjectModel.checksumsForVersionedModel(at: folder.url("Music.xcdatamodeld"))))
    }

    private static let namesNoVersion = "<plist version=\"1.0\"><dict/></plist>"

    /// The version that a compiled bundle names, and the one that a reader uses.
    private func versions(ofBundleAt url: URL) throws -> [String?] {
        let info = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")), format: nil)
        let named = (info as? [String: Any])?["NSManagedObjectModel_CurrentVersionName"] as? String
        return [named, try CompiledModelBundle(at: url).currentVersionName]
    }

    @Test(
        "VersionInfo.plist names a current version only if the source does, or if a reader would not find it",
        arguments: [
            (namesNoVersion, "Music.momd", [nil, "Music"]), (namesNoVersion, "Other.momd", ["Music", "Music"]),
            ("", "Music.momd", [nil, "Music"]), (nil as String?, "Music.momd", ["Music 2", "Music 2"]),
        ])
    func unnamedVersion(currentVersion: String?, result: String, expected: [String?]) async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        if let currentVersion { try folder.write(currentVersion, to: "Music.xcdatamodeld/.xccurrentversion") }
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path(result)).status, 0)
        try expectEqual(versions(ofBundleAt: folder.url(result)), expected)
    }

    @Test("The only version of a bundle without .xccurrentversion is found without a name")
    func onlyVersion() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(to: "Music.xcdatamodeld/First.xcdatamodel")
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path("Music.momd")).status, 0)
        try expectEqual(versions(ofBundleAt: folder.url("Music.momd")), [nil, "First"])
    }

    @Test("--module names the module of classes of the current product module, in every version")
    func module() async throws {
        let folder = try ToolFolder()
        let album = ToolFolder.album.replacingOccurrences(of: ".Album", with: "Other.Album")
        let disc = ToolFolder.album.replacingOccurrences(of: "Album", with: "Disc")
        try folder.writeBundle(first: disc, second: ToolFolder.songs + album + disc)
        let run = try await MomcRun(
            "--module", "App", folder.path("Music.xcdatamodeld"), folder.path("Out.momd"))
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        let bundle = try CompiledModelBundle(at: folder.url("Out.momd"))
        func classNames(_ version: String) throws -> [String?] {
            let entities = try bundle.model(ofVersion: version).entitiesByName
            return ["Disc", "Song", "Album"].map { entities[$0]?.managedObjectClassName }
        }
        try expectEqual(classNames("Music"), ["App.Disc", nil, nil])
        try expectEqual(classNames("Music 2"), ["App.Disc", "Song", "Other.Album"])
        try expectEqual(
            bundle.model(ofVersion: "Music 2").entityVersionHashesByName,
            ModelFile.load(at: folder.url("Music.xcdatamodeld")).entityVersionHashesByName)
    }

    @Test("Without --module, a class of the current product module keeps its dot")
    func withoutModule() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(ToolFolder.album)
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom")).status, 0)
        let compiled = try ModelFile.load(at: folder.url("Music.mom"))
        expectEqual(compiled.entitiesByName["Album"]?.managedObjectClassName, ".Album")
    }

    @Test("The text notation compiles, and errors have line and column")
    func notation() async throws {
        let folder = try ToolFolder()
        try folder.write("Song {\n  attribute title: string\n}\n", to: "Music.coredata")
        try folder.write("Song {\n  attribute title: strng\n}\n", to: "Bad.coredata")
        try await expectEqual(MomcRun(folder.path("Music.coredata"), folder.root.path).status, 0)
        try expectEqual(ModelFile.load(at: folder.url("Music.mom")).entities.map(\.name), ["Song"])
        let bad = try await MomcRun(folder.path("Bad.coredata"), folder.root.path)
        expectEqual(bad.status, 1)
        expectTrue(bad.errors.hasPrefix("\(folder.path("Bad.coredata")):2:20: error: 'strng'"))
    }

    @Test(
        "A result in a destination folder has the name of the source",
        arguments: [
            ("Music.xcdatamodel", "Music.mom"), ("Music.xcdatamodel/contents", "Music.mom"),
            ("Music.xcdatamodeld", "Music.momd"),
        ])
    func intoFolder(source: String, result: String) async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        try folder.writeBundle()
        try FileManager.default.createDirectory(at: folder.url("out"), withIntermediateDirectories: true)
        try await expectEqual(MomcRun(folder.path(source), folder.path("out")).status, 0)
        try expectEqual(folder.names("out"), [result])
    }

    @Test("An unchanged result isn't written; a changed source replaces it")
    func unchanged() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        let arguments = [folder.path("Music.xcdatamodeld"), folder.path("Music.momd")]
        try await expectEqual(MomcRun(arguments: arguments).status, 0)
        let file = folder.path("Music.momd/VersionInfo.plist")
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
        try await expectEqual(MomcRun(arguments: arguments).status, 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == old)
        try folder.writeBundle(second: ToolFolder.songs)
        try await expectEqual(MomcRun(arguments: arguments).status, 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date != old)
        try expectEqual(folder.names(), ["Music.momd", "Music.xcdatamodeld"])
    }

    @Test("A version that changed after it was compiled is reported; the current version may change")
    func shippedByDestination() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        let arguments = [folder.path("Music.xcdatamodeld"), folder.path("Music.momd")]
        try await expectEqual(MomcRun(arguments: arguments).errors, "")
        try folder.writeBundle(first: ToolFolder.album, second: ToolFolder.songs)
        let run = try await MomcRun(arguments: arguments)
        expectEqual(run.status, 0)
        expectEqual(run.messages.count, 1)
        expectTrue(
            run.errors.hasPrefix(
                folder.path("Music.xcdatamodeld/Music.xcdatamodel/contents")
                    + """
                    : warning: version 'Music' was changed after it was compiled (entity 'Album' was added, entity \
                    'Song' was removed)
                    """
            ))
    }

    @Test("--shipped compares all versions with a bundle, including the current one")
    func shippedByOption() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        try await expectEqual(MomcRun(folder.path("Music.xcdatamodeld"), folder.path("Shipped.momd")).status, 0)
        try folder.writeBundle(second: ToolFolder.songs)
        try FileManager.default.removeItem(at: folder.url("Music.xcdatamodeld/Music.xcdatamodel"))
        let run = try await MomcRun(
            "--shipped", folder.path("Shipped.momd"), folder.path("Music.xcdatamodeld"), folder.path("Music.momd"))
        expectEqual(run.status, 0)
        expectEqual(run.messages.count, 2)
        expectContains(run.errors, "version 'Music 2' was changed after it was compiled (entity 'Album' was removed)")
        expectContains(run.errors, "version 'Music' was compiled before, but is not in the source")
    }

    @Test("Warnings have file and line, and the model is compiled")
    func warnings() async throws {
        let folder = try ToolFolder()
        try folder.writeModel(
            """
            <entity name=\"A\">\n<relationship name=\"r\" toMany=\"YES\" deletionRule=\"Nullify\" \
            destinationEntity=\"A\"/></entity>
            """
        )
        let run = try await MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom"))
        expectEqual(run.status, 0)
        expectEqual(run.errors, "\(folder.path("Music.xcdatamodel/contents")):3: warning: A.r should have an inverse\n")
        expectContains(try folder.names(), "Music.mom")
    }

    @Test(
        "Options disable warnings",
        arguments: [
            ("--no-warnings", 0), ("--no-inverse-warnings", 2), ("--no-delete-rule-warnings", 2),
            ("--no-max-property-count-warnings", 2),
        ])
    func silencing(option: String, count: Int) async throws {
        let folder = try ToolFolder()
        let attributes = (0...100).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
        try folder.writeModel(
            """
            <entity name="A">\(attributes)<relationship name="r" toMany="YES" deletionRule="Nullify" \
            destinationEntity="B"/></entity>
            <entity name="B">
            <relationship name="own" toMany="YES" deletionRule="No Action" destinationEntity="B" \
            inverseName="own"/></entity>
            """)
        let all = try await MomcRun(folder.path("Music.xcdatamodel"), folder.path("Music.mom"))
        expectEqual(all.messages.count, 3)
        let run = try await MomcRun(option, folder.path("Music.xcdatamodel"), folder.path("Music.mom"))
        expectEqual(run.status, 0)
        expectEqual(run.messages.count, count)
    }

    @Test("After an error in a version, the old result remains")
    func errorInOldVersion() async throws {
        let folder = try ToolFolder()
        try folder.writeBundle()
        let arguments = [folder.path("Music.xcdatamodeld"), folder.path("Music.momd")]
        try await expectEqual(MomcRun(arguments: arguments).status, 0)
        let before = try Data(contentsOf: folder.url("Music.momd/VersionInfo.plist"))
        try folder.writeBundle(first: "<entity name=\"A\"><attribute name=\"x\"/></entity>", second: ToolFolder.album)
        let run = try await MomcRun(arguments: arguments)
        expectEqual(run.status, 1)
        expectEqual(
            run.errors,
            """
            \(folder.path("Music.xcdatamodeld/Music.xcdatamodel/contents")):2: error: A.x must have a defined \
            type\n
            """
        )
        try expectEqual(Data(contentsOf: folder.url("Music.momd/VersionInfo.plist")), before)
        try expectEqual(folder.names(), ["Music.momd", "Music.xcdatamodeld"])
    }
}
