// SPDX-License-Identifier: Apache-2.0

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
    static func folders(of bundles: [Bundle]?, module: String? = nil) -> [URL] {
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
    static func modelFile(named name: String, in folders: [URL]) throws -> URL {
        for folder in folders { if let file = modelFile(named: name, inFolder: folder) { return file } }
        let names = folders.flatMap(modelFiles(inFolder:)).map { $0.deletingPathExtension().lastPathComponent }
        throw notFound(
            "named \(name)", endings: (compiledExtensions + sourceExtensions).map { name + "." + $0 }, in: folders,
            names: names, wanted: name)
    }

    /// The file of the model with a name in a folder: a compiled form before a source; nil if there is none.
    private static func modelFile(named name: String, inFolder folder: URL) -> URL? {
        (compiledExtensions + sourceExtensions).map { folder.appendingPathComponent("\(name).\($0)") }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    /// The file of a program's model, found by its name.
    package struct ProgramModel {
        package let file: URL
        /// Whether the module whose resources contain the model is a part of the program, as far as is known.
        package let isOfProgram: Bool
    }

    /// Several models have one name: either in modules of the program, or in modules that are no part of it.
    package struct SeveralModels: Error {
        package let files: [URL]
    }

    /// Finds the model of a program by its name: in the resource bundle of a module, in the main bundle, in the
    /// resource bundles of the program's modules, then in the resource bundles of other modules. These lie beside the
    /// program because one build folder has all products of a package.
    ///
    /// - Parameters:
    ///   - name: the name of the model's file without extension.
    ///   - module: the module whose resource bundle comes first, if any.
    ///   - modules: the modules of the program; nil if they aren't known.
    /// - Throws: `CocoaError.fileReadNoSuchFile` (260) as ``modelFile(named:in:)``, and ``SeveralModels``.
    package static func programModel(named name: String, module: String?, modules: Set<String>?) throws -> ProgramModel
    {
        let (first, beside) = (mainFolders(module), resourceBundles)
        func isOfProgram(_ folder: URL) -> Bool {
            modules.map { !targetNames(of: folder).isDisjoint(with: $0) } ?? true
        }
        for folder in first {
            if let file = modelFile(named: name, inFolder: folder) {
                return ProgramModel(file: file, isOfProgram: true)
            }
        }
        for isOwn in [true, false] {
            let found = beside.filter { isOfProgram($0) == isOwn }.compactMap {
                modelFile(named: name, inFolder: $0.resolvingSymlinksInPath().standardizedFileURL)
            }
            guard let file = found.first else { continue }
            if found.count == 1 { return ProgramModel(file: file, isOfProgram: isOwn) }
            throw SeveralModels(files: found)
        }
        return ProgramModel(
            file: try modelFile(named: name, in: folders(of: nil, module: module)), isOfProgram: false)
    }

    /// The names that the module of a resource bundle may have. A bundle is called `Package_Target`, where both names
    /// may contain the character between them, and a module has no other punctuation in its name.
    static func targetNames(of bundle: URL) -> Set<String> {
        let parts = bundle.deletingPathExtension().lastPathComponent.split(
            separator: "_", omittingEmptySubsequences: false)
        return Set(
            parts.indices.dropFirst().map { index in
                moduleName(ofTarget: parts[index...].joined(separator: "_"))
            })
    }

    /// The name of a target's module.
    package static func moduleName(ofTarget target: String) -> String {
        String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

    /// The error of a search without a result.
    static func notFound(_ subject: String, endings: [String], in folders: [URL], names: [String], wanted: String?)
        -> CocoaError
    {
        let suggestion = wanted.map { NearestNames.suggestion(for: $0, in: names) } ?? ""
        let present =
            names.isEmpty
            ? """
             There is no model in any of them: a target of a package has its models by the plugin CoreDataModelPlugin, \
            or among its resources.
            """
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

    /// The main bundle, and the resource bundles beside the program.
    private static func defaultFolders(_ module: String?) -> [URL] { mainFolders(module) + resourceBundles }

    /// The resource bundle of a module, and the main bundle.
    private static func mainFolders(_ module: String?) -> [URL] {
        let ofModule = module.map { module in resourceBundles.filter { targetNames(of: $0).contains(module) } }
        return (ofModule ?? []) + [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0 }
    }

    /// The resource bundles beside the program: `Package_Target.resources` or `.bundle`, sorted.
    private static var resourceBundles: [URL] {
        let main = Bundle.main.bundleURL
        // On other platforms than Linux a test run is a bundle itself, beside the resource bundles.
        let home = main.pathExtension == "xctest" ? main.deletingLastPathComponent() : main
        return contents(of: home).filter { ["resources", "bundle"].contains($0.pathExtension) }.sorted {
            $0.path < $1.path
        }
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

    /// The versions of a model that may be wanted. From a compiled bundle only versions with wanted hashes are read:
    /// its `VersionInfo.plist` has the hashes of all versions, and reading a large model takes long.
    ///
    /// - Parameter isWanted: whether a version with these hashes is wanted.
    static func versions(of url: URL, where isWanted: ([String: Data]) -> Bool) throws -> [NSManagedObjectModel] {
        guard case .compiledBundle = try ModelFile.form(of: url) else { return try allVersions(of: url) }
        let bundle = try CompiledModelBundle(at: url)
        return try bundle.versionNames.filter { bundle.versionHashes[$0].map(isWanted) ?? true }
            .map { try bundle.model(ofVersion: $0) }
    }
}
