extension ModelFile {
    /// A keyed archive: a compiled model, or a source model of the old format.
    static func loadArchive(_ data: Data, _ url: URL) throws -> NSManagedObjectModel {
        do {
            let archive = try KeyedArchiveReader(data)
            if try archive.root().className == SourceElementsReader.rootClassName {
                return try SourceModelReader.read(try SourceElementsReader.read(archive, from: url), from: url)
            }
            throw ModelFileError.corrupt(url, "it is a keyed archive of a class that is no model.")
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] == nil {
            throw ModelFileError.corrupt(url, error.localizedDescription)
        }
    }

    static func loadCompiledBundle(_ url: URL) throws -> NSManagedObjectModel {
        throw ModelFileError.corrupt(url, "it is a compiled bundle.")
    }
}
