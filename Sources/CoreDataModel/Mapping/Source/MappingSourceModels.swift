// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Finds the source and the destination model of a source mapping model.
///
/// The source contains the paths of the models in the project, and copies of both from the time of the last edit. The
/// files take precedence over the copies, because the compiled mapping model must match them.
struct MappingSourceModels {
    let url: URL
    let object: MappingSourceObject

    func source() throws -> NSManagedObjectModel { try frozen(model("source"), "source") }

    func destination() throws -> NSManagedObjectModel { try frozen(model("destination"), "destination") }

    /// Freezes a model for faster lookups. Only this compiler uses it.
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
            throw corrupt("the copy of its \(role) model is not Base64 data", key)
        }
        do {
            return try ModelFile.loadArchive(data, url)
        } catch let error as CocoaError {
            throw corrupt("the copy of its \(role) model can't be read: \(ModelArchive.reason(error))", key)
        }
    }

    /// The file at a path in the project. Each folder around the mapping model is tried as the project folder; then the
    /// last components of the path are searched in the mapping model's folder.
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
        // A version is searched together with its bundle, because versions of two bundles can have the same name.
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
