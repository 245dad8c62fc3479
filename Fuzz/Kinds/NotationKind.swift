import CoreDataModel

/// Models in the text notation (`.coredata`).
struct NotationKind: InputKind {
    let name = "notation"
    let form = MutationForm.text([
        "abstract", "entity", "attribute", "to-one", "to-many", "to-one-relationship", "inverse", "delete", "nullify",
        "cascade", "string",
        "integer 16", "required", "optional", "fetch", "index", "unique", "composite", "configuration", "userInfo", "{",
        "}", "\"", ";",
        ":", ",", "(", ")", "/*", "*/", "//", "\\u{0}", "= {", "};",
    ])

    func samples() throws -> [Data] {
        let older = """
            Song = {
                attribute title : string;
                to-one-relationship artist : Artist, inverse : songs, delete-rule : nullify;
                userInfo = { IsPlaceholder = YES; };
            };
            Artist = {
                attribute name : string, default : "Unknown";
                to-many-relationship songs : Song, inverse : artist, delete-rule : cascade, min-count : 0, max-count : \
            20;
            };
            """
        return [Data(try TextNotation.text(of: SampleModels.read()).utf8), Data(older.utf8)]
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let file = folder.appendingPathComponent("Mutant.coredata")
        try mutant.write(to: file)
        guard let read = try self.read(naming: file, { try ModelFile.load(at: file) }) else { return .refused }
        try ModelUse.use(read, in: folder, number: number)
        return .accepted
    }
}
