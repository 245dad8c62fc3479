// SPDX-License-Identifier: Apache-2.0

/// A version of a model, identified by its location and its checksum, and read at the first use. Stages of a migration
/// refer to models in this way.
///
/// Can be used on any thread.
nonisolated open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    private enum Source {
        case model(NSManagedObjectModel)
        case file(URL)
        case named(String, Bundle?)
        case hashes([AnyHashable: Any], Bundle?)
    }

    /// The checksum that the model must have: its `versionChecksum`. `checksumsForVersionedModel(at:)` and the build
    /// log of Xcode list it.
    open private(set) var versionChecksum: String
    private let source: Source
    private let lock = NSLock()
    private var resolved: NSManagedObjectModel?

    /// Refers to an existing model.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - versionChecksum: the checksum that the model must have.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        source = .model(model)
        self.versionChecksum = versionChecksum
    }

    /// Refers to a model in a file.
    ///
    /// - Parameters:
    ///   - fileURL: a compiled model (`.mom`, `.momd`). **Extension**: also a source model. In a bundle of versions the
    ///     reference means the version with the checksum, even if it isn't the current one.
    ///   - versionChecksum: the checksum that the model must have.
    public init(fileURL: URL, versionChecksum: String) {
        source = .file(fileURL)
        self.versionChecksum = versionChecksum
    }

    /// Refers to the model in a bundle that has the given version hashes.
    ///
    /// - Parameters:
    ///   - versionHash: the hashes by the name of the entity, as in `entityVersionHashesByName` and in the metadata of
    ///     stores.
    ///   - bundle: the bundle; nil for the main bundle and the resource bundles beside the program.
    ///   - versionChecksum: the checksum that the model must have.
    public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        source = .hashes(versionHash, bundle)
        self.versionChecksum = versionChecksum
    }

    /// Refers to a model in a bundle by name.
    ///
    /// - Parameters:
    ///   - modelName: the name of the model's file without extension, or the name of a version of a versioned model.
    ///   - bundle: the bundle; nil for the main bundle and the resource bundles beside the program.
    ///   - versionChecksum: the checksum that the model must have.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        source = .named(modelName, bundle)
        self.versionChecksum = versionChecksum
    }

    /// The model, which is read at the first use.
    ///
    /// Stops the program if the model can't be found or read, or if it has another checksum. The message names both
    /// checksums.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            programmingError(
                """
                \(error.localizedDescription) Take the checksum from checksumsForVersionedModel(at:), and name the \
                version that was meant.
                """
            )
        }
    }

    /// The model; throws the reason for a failure.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` (134504) with both checksums, or the error of reading the
    ///   file.
    package final func resolve() throws -> NSManagedObjectModel {
        try lock.withLock {
            if let resolved { return resolved }
            let model = try find()
            resolved = model
            return model
        }
    }

    private func find() throws -> NSManagedObjectModel {
        switch source {
        case .model(let model):
            return try matching([{ model }], of: "The model")
        case .file(let url):
            return try matching(Self.versions(of: url), of: "The model in \(url.path)")
        case .named(let name, let bundle):
            // First the versions of the model with this name, the current version first; then versions with this name
            // of other models.
            let folders = ModelSearch.folders(of: bundle.map { [$0] })
            let named = Result { try ModelSearch.modelFile(named: name, in: folders) }
            var files = try (try? named.get()).map(Self.versionFiles) ?? []
            for file in try ModelSearch.modelFiles(in: bundle.map { [$0] }).flatMap(Self.versionFiles)
            where file.deletingPathExtension().lastPathComponent == name
                && !files.contains(where: { $0.path == file.path })
            {
                files.append(file)
            }
            if files.isEmpty { _ = try named.get() }
            return try matching(
                files.map { file in { try NSManagedObjectModel.load(contentsOf: file) } }, of: "The model named \(name)"
            )
        case .hashes(let hashes, let bundle):
            let wanted = NSManagedObjectModel.versionHashes(inStoreMetadata: [
                "NSStoreModelVersionHashes": NSDictionary(dictionary: hashes)
            ])
            for url in try ModelSearch.modelFiles(in: bundle.map { [$0] }).flatMap(Self.versionFiles) {
                let model = try NSManagedObjectModel.load(contentsOf: url)
                if model.entityVersionHashesByName == wanted {
                    return try matching([{ model }], of: "The model in \(url.path)")
                }
            }
            let folders = ModelSearch.folders(of: bundle.map { [$0] }).map(\.path).joined(separator: ", ")
            throw failure(
                "No model in \(folders) has the entity version hashes of the reference.", key: "entityVersionHashes")
        }
    }

    /// The first model with the required checksum.
    private func matching(_ models: [() throws -> NSManagedObjectModel], of subject: String) throws
        -> NSManagedObjectModel
    {
        var found: [String] = []
        for load in models {
            let model = try load()
            if model.versionChecksum == versionChecksum { return model }
            found.append(model.versionChecksum)
        }
        let has =
            found.count == 1
            ? "the version checksum '\(found[0])'" : "versions with the checksums '\(found.joined(separator: "', '"))'"
        throw failure("\(subject) has \(has), but the reference requires '\(versionChecksum)'.", key: "versionChecksum")
    }

    private static let notFound = CocoaError.Code(rawValue: 134504)

    private func failure(_ message: String, key: String) -> CocoaError {
        CoreDataErrors.cocoaError(
            Self.notFound, message: message, reason: message, userInfo: [ModelFileError.keyKey: key])
    }

    private static func versions(of url: URL) throws -> [() throws -> NSManagedObjectModel] {
        try versionFiles(url).map { file in { try NSManagedObjectModel.load(contentsOf: file) } }
    }

    /// The file; for a bundle of versions all versions, the current version first.
    private static func versionFiles(_ url: URL) throws -> [URL] {
        switch try ModelFile.form(of: url) {
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: url)
            let names =
                bundle.versionNames.filter { $0 == bundle.currentVersionName }
                + bundle.versionNames.filter { $0 != bundle.currentVersionName }
            return names.compactMap(bundle.modelURL)
        case .sourceBundle:
            let bundle = try SourceModelBundle(at: url)
            return [bundle.currentVersion.url] + bundle.versions.map(\.url).filter { $0 != bundle.currentVersion.url }
        case .sourceVersion, .file: return [url]
        }
    }
}
