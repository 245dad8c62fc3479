import CoreDataPredicates

/// Finds the two models that a source mapping model leads between.
///
/// The source names their paths in the project, and holds copies of both as they were when it was last edited. The
/// files are taken where they are at hand, since the mapping model is to fit them; the copies where they aren't.
struct MappingSourceModels {
    let url: URL
    let object: MappingSourceObject

    func source() throws -> NSManagedObjectModel { try frozen(model("source"), "source") }

    func destination() throws -> NSManagedObjectModel { try frozen(model("destination"), "destination") }

    /// Nobody else has the model, so it may be made immutable: every look-up is quick then.
    private func frozen(_ model: NSManagedObjectModel, _ role: String) throws -> NSManagedObjectModel {
        if let problem = model.firstProblem() {
            throw ModelFileError.corrupt(
                url, "the \(role) model can't be used: \(problem.message)", entity: problem.entityName, key: problem.key
            )
        }
        model.freeze()
        return model
    }

    private func model(_ role: String) throws -> NSManagedObjectModel {
        if let path = object.text(role + "modelpath"), let file = file(at: path) { return try ModelFile.load(at: file) }
        let key = role + "modeldata"
        guard let text = object.text(key) else {
            throw corrupt("it has neither a file nor a copy of its \(role) model", key)
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty else {
            throw corrupt("the copy of its \(role) model is no data in Base64", key)
        }
        do {
            return try ModelFile.loadArchive(data, url)
        } catch let error as CocoaError {
            let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
            throw corrupt("the copy of its \(role) model can't be read: \(reason)", key)
        }
    }

    /// The file that a path in the project leads to: the folders around the mapping model are tried as the project's,
    /// then the folder of the mapping model for the last parts of the path.
    private func file(at path: String) -> URL? {
        let parts = path.split(separator: "/").map(String.init)
        guard !path.hasPrefix("/"), !parts.isEmpty, !parts.contains("..") else { return nil }
        let mapping = url.lastPathComponent == MappingModelFile.sourceFileName ? url.deletingLastPathComponent() : url
        var folder = mapping.absoluteURL.standardizedFileURL.deletingLastPathComponent()
        let beside = folder
        while true {
            if let file = existing(parts, in: folder) { return file }
            let parent = folder.deletingLastPathComponent().standardizedFileURL
            guard parent.path.count < folder.path.count else { break }
            folder = parent
        }
        // A version of a bundle is meant by its bundle's name too: versions of two bundles may have one name.
        return existing(
            Array(parts.suffix(parts.count > 1 && parts[parts.count - 2].hasSuffix(".xcdatamodeld") ? 2 : 1)),
            in: beside)
    }

    private func existing(_ parts: [String], in folder: URL) -> URL? {
        let file = parts.reduce(folder) { $0.appendingPathComponent($1) }
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    private func corrupt(_ reason: String, _ key: String) -> CocoaError {
        ModelFileError.corrupt(url, reason, key: key, line: object.line)
    }
}
