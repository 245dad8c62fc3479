/// Finds the models of bundles.
package enum ModelSearch {
    /// The models in the bundles' resources: compiled bundles and models, and source models that were not compiled.
    ///
    /// - Parameter bundles: nil for the main bundle and the resource bundles beside the program, where SwiftPM puts the resources
    ///   of a package's targets.
    /// - Returns: the files, sorted by path. A source model that has a compiled form beside it is left out.
    package static func modelFiles(in bundles: [Bundle]?) -> [URL] {
        folders(of: bundles).flatMap(modelFiles(inFolder:)).sorted { $0.path < $1.path }
    }

    /// The folders where the bundles' models are sought, each once.
    ///
    /// - Parameter bundles: nil for the main bundle and the resource bundles beside the program.
    package static func folders(of bundles: [Bundle]?) -> [URL] {
        var folders: [URL] = []
        for folder in bundles.map({ $0.map(\.bundleURL) + $0.compactMap(\.resourceURL) }) ?? mainFolders {
            let folder = folder.resolvingSymlinksInPath().standardizedFileURL
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    private static let compiledExtensions: Set<String> = ["momd", "mom"]
    private static let sourceExtensions: Set<String> = ["xcdatamodeld", "xcdatamodel"]

    private static var mainFolders: [URL] {
        let main = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0 }
        let beside = contents(of: Bundle.main.bundleURL).filter { ["resources", "bundle"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
        return main + beside
    }

    private static func modelFiles(inFolder folder: URL) -> [URL] {
        let files = contents(of: folder)
        let compiled = files.filter { compiledExtensions.contains($0.pathExtension) }
        let compiledNames = Set(compiled.map { $0.deletingPathExtension().lastPathComponent })
        let sources = files.filter {
            sourceExtensions.contains($0.pathExtension) && !compiledNames.contains($0.deletingPathExtension().lastPathComponent)
        }
        return compiled + sources
    }

    private static func contents(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    /// Every version of a model: what a store made by an older program may need.
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
