/// Finds the model files of bundles.
package enum ModelSearch {
    /// The model files in the resources of bundles: compiled bundles and models, and source models without a compiled
    /// form.
    ///
    /// - Parameter bundles: nil for the main bundle and the resource bundles beside the program, where SwiftPM copies
    ///   the resources of a package's targets.
    /// - Returns: the files, sorted by path. A source model with a compiled form beside it is omitted.
    package static func modelFiles(in bundles: [Bundle]?) -> [URL] {
        folders(of: bundles).flatMap(modelFiles(inFolder:)).sorted { $0.path < $1.path }
    }

    /// The folders in which the models of bundles are searched, without duplicates.
    ///
    /// - Parameters:
    ///   - bundles: nil for the main bundle and the resource bundles beside the program.
    ///   - module: the module whose resource bundle comes first, if any.
    package static func folders(of bundles: [Bundle]?, module: String? = nil) -> [URL] {
        var folders: [URL] = []
        for folder in bundles.map({ $0.map(\.bundleURL) + $0.compactMap(\.resourceURL) }) ?? defaultFolders(module) {
            let folder = folder.resolvingSymlinksInPath().standardizedFileURL
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    /// The file of the model with a name: in the first folder that contains it, a compiled form before a source.
    ///
    /// - Throws: `CocoaError.fileReadNoSuchFile` (260) with the folders that were searched and the most similar names.
    package static func modelFile(named name: String, in folders: [URL]) throws -> URL {
        for folder in folders {
            for ending in compiledExtensions + sourceExtensions {
                let url = folder.appendingPathComponent("\(name).\(ending)")
                if FileManager.default.fileExists(atPath: url.path) { return url }
            }
        }
        let names = folders.flatMap(modelFiles(inFolder:)).map { $0.deletingPathExtension().lastPathComponent }
        throw notFound(
            "named \(name)", endings: (compiledExtensions + sourceExtensions).map { name + "." + $0 }, in: folders,
            names: names, wanted: name)
    }

    /// The error of a search without a result.
    static func notFound(_ subject: String, endings: [String], in folders: [URL], names: [String], wanted: String?)
        -> CocoaError
    {
        let suggestion = wanted.map { NearestNames.suggestion(for: $0, in: names) } ?? ""
        let present =
            names.isEmpty
            ? " There is no model in any of them."
            : " The models there: \(Set(names).sorted().joined(separator: ", "))."
        let list = endings.dropLast().joined(separator: ", ") + " and " + (endings.last ?? "")
        let reason = "Sought \(list) in \(folders.map(\.path).joined(separator: ", ")).\(present)"
        return CoreDataErrors.cocoaError(
            .fileReadNoSuchFile, message: "Failed to find a model \(subject).\(suggestion) \(reason)",
            reason: reason,
            userInfo: folders.first.map { [NSFilePathErrorKey: $0.path] } ?? [:])
    }

    /// A compiled form takes precedence over a source.
    static let compiledExtensions = ["momd", "mom"]
    static let sourceExtensions = ["xcdatamodeld", "xcdatamodel", TextNotation.fileExtension]

    /// The main bundle, and the resource bundles beside the program: `Package_Target.resources` or `.bundle`.
    private static func defaultFolders(_ module: String?) -> [URL] {
        let main = Bundle.main.bundleURL
        // On other platforms than Linux a test run is a bundle itself, beside the resource bundles.
        let home = main.pathExtension == "xctest" ? main.deletingLastPathComponent() : main
        let beside = contents(of: home).filter { ["resources", "bundle"].contains($0.pathExtension) }.sorted {
            $0.path < $1.path
        }
        let ofModule = beside.filter {
            $0.deletingPathExtension().lastPathComponent.hasSuffix("_" + (module ?? "")) && module != nil
        }
        return ofModule + [Bundle.main.resourceURL, main].compactMap { $0 } + beside
    }

    /// The model files in a folder. A source with a compiled form beside it is omitted.
    package static func modelFiles(inFolder folder: URL) -> [URL] {
        files(inFolder: folder, compiled: compiledExtensions, sources: sourceExtensions)
    }

    /// The files with the given extensions in a folder, without the sources that have a compiled form there.
    static func files(inFolder folder: URL, compiled compiledExtensions: [String], sources sourceExtensions: [String])
        -> [URL]
    {
        let files = contents(of: folder)
        let compiled = files.filter { compiledExtensions.contains($0.pathExtension) }
        let compiledNames = Set(compiled.map { $0.deletingPathExtension().lastPathComponent })
        let sources = files.filter {
            sourceExtensions.contains($0.pathExtension)
                && !compiledNames.contains($0.deletingPathExtension().lastPathComponent)
        }
        return compiled + sources
    }

    private static func contents(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    /// All versions of a model. A store that an older program created can need any of them.
    package static func allVersions(of url: URL) throws -> [NSManagedObjectModel] {
        switch try ModelFile.form(of: url) {
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: url)
            return try bundle.versionNames.map { try bundle.model(ofVersion: $0) }
        case .sourceBundle:
            return try SourceModelBundle(at: url).versions.map { try ModelFile.load(at: $0.url) }
        case .sourceVersion, .file:
            return [try ModelFile.load(at: url)]
        }
    }
}
