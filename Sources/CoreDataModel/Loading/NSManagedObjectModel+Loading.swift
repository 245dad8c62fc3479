// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// Reads a model from its file.
    ///
    /// ```swift
    /// if let url = Bundle.main.url(forResource: "Music", withExtension: "momd"),
    ///     let model = NSManagedObjectModel(contentsOf: url)
    /// {
    ///     print(model.entitiesByName.keys.sorted())
    /// }
    /// ```
    ///
    /// For a bundle of versions (`.momd`) the result is the current version. The texts of the strings file
    /// `NameModel.strings` in the localization folders beside `Name.mom` become the localization dictionary.
    ///
    /// The initializer throws nothing. If the file exists but can't be read, a message on standard error says why: it
    /// names the file and, if they are known, the entity, the key and the line.
    ///
    /// - Parameter url: a compiled model (`.momd`, `.mom`). **Extension**: also a source model (`.xcdatamodeld`,
    ///   `.xcdatamodel`, `.coredata`).
    /// - Returns: a mutable model; nil if the file doesn't exist or isn't a valid model.
    public convenience init?(contentsOf url: URL) {
        do {
            let loaded = try NSManagedObjectModel.load(contentsOf: url)
            self.init()
            moveContents(from: loaded)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            StandardErrorLog.write(error)
            return nil
        }
    }

    /// Reads a model, and throws the reason for a failure.
    ///
    /// - Throws: `CocoaError` with the file, and with entity and key if they are known.
    package static func load(contentsOf url: URL) throws -> NSManagedObjectModel {
        let model = try ModelFile.load(at: url)
        // The texts of a strings file take precedence over the texts in the model.
        if let texts = try LocalizationFile.dictionary(forModelAt: url) {
            model.localizationDictionary = (model.localizationDictionary ?? [:]).merging(texts) { $1 }
        }
        return model
    }

    /// Moves the contents of a model that nothing else refers to into this model.
    final func moveContents(from other: NSManagedObjectModel) {
        entityStorage = other.entityStorage
        other.entityStorage = []
        for entity in entityStorage { entity.modelStorage = self }
        configurationStorage = other.configurationStorage
        templateStorage = other.templateStorage
        versionIdentifiers = other.versionIdentifiers
        localizationDictionary = other.localizationDictionary
        sourceAttributes = other.sourceAttributes
        origin = other.origin
        ignoresClassNames = other.ignoresClassNames
    }

    /// The work of `checksumsForVersionedModel(at:)`.
    static func checksums(at modelURL: URL) throws -> [String: String] {
        var checksums: [String: String] = [:]
        switch try ModelFile.form(of: modelURL) {
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: modelURL)
            for name in bundle.versionNames {
                checksums[name] = try bundle.versionChecksums[name] ?? bundle.model(ofVersion: name).versionChecksum
            }
        case .sourceBundle:
            for version in try SourceModelBundle(at: modelURL).versions {
                checksums[version.name] = try ModelFile.load(at: version.url).versionChecksum
            }
        case .sourceVersion, .file:
            throw ModelFileError.corrupt(modelURL, "it is not a versioned model (.momd or .xcdatamodeld).")
        }
        return checksums
    }
}
