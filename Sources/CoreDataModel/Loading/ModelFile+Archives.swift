extension ModelFile {
    /// A keyed archive: a compiled model, or a source model of the old format.
    static func loadArchive(_ data: Data, _ url: URL) throws -> NSManagedObjectModel {
        do {
            let archive = try KeyedArchiveReader(data)
            if try archive.root().className == SourceElementsReader.rootClassName {
                return try SourceModelReader.read(try SourceElementsReader.read(archive, from: url), from: url)
            }
            return try checked(try ModelArchive.decode(data), url)
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] == nil {
            throw ModelFileError.corrupt(url, reason(error))
        }
    }

    /// The current version of a compiled bundle.
    static func loadCompiledBundle(_ url: URL) throws -> NSManagedObjectModel {
        let bundle = try CompiledModelBundle(at: url)
        guard let name = bundle.currentVersionName, let file = bundle.modelURL(ofVersion: name) else {
            throw ModelFileError.corrupt(url, "VersionInfo.plist doesn't say which of its versions is current.")
        }
        return try loadArchive(try contents(of: file), file)
    }

    /// An archive may leave out what a model needs: nothing that dangles gets past here.
    private static func checked(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectModel {
        if let problem = model.firstProblem() {
            throw ModelFileError.corrupt(url, problem.message, entity: problem.entityName, key: problem.key)
        }
        return model
    }

    private static func reason(_ error: CocoaError) -> String {
        error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
    }
}
