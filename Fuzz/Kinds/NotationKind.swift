import CoreDataModel

/// Models in the text notation (`.coredata`).
struct NotationKind: InputKind {
    let name = "notation"
    let form = MutationForm.text([
        "abstract", "entity", "attribute", "to-one", "to-many", "inverse", "delete", "nullify",
        "cascade", "string",
        "integer 16", "required", "optional", "fetch", "index", "unique", "composite", "configuration", "userInfo", "{",
        "}", "\"", ";",
        ":", ",", "(", ")", "/*", "*/", "//", "\\u{0}", "{ }", "};",
    ])

    func samples() throws -> [Data] {
        let short = """
            Song {
                attribute title: string;
                to-one artist: Artist, inverse: songs, delete: nullify;
                userInfo { IsPlaceholder: YES; };
            };
            Artist {
                name: string, default: "Unknown";
                to-many songs: Song, inverse: artist, delete: cascade, min: 0, max: 20;
            };
            """
        return [Data(try TextNotation.text(of: SampleModels.read()).utf8), Data(short.utf8)]
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.coredata")
        try mutant.write(to: file)
        guard let read = try self.read(naming: file, { try ModelFile.load(at: file) }) else { return .refused }
        try ModelUse.use(read, in: folder, number: number)
        return .accepted
    }
}
