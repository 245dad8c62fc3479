extension NSManagedObjectModel {
    /// Reads a model from its file.
    ///
    /// The strings file `NameModel.strings` in the localization folders beside `Name.mom` becomes the localization
    /// dictionary.
    ///
    /// - Parameter url: a compiled model (`.momd`, `.mom`). **Extension**: also a source model (`.xcdatamodeld`,
    ///   `.xcdatamodel`, `.coredata`).
    /// - Returns: nil if there is no file, or it can't be read as a model: then standard error says why.
    public convenience init?(contentsOf url: URL) {
        do {
            let loaded = try NSManagedObjectModel.load(contentsOf: url)
            self.init()
            takeOver(loaded)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            ModelMessages.say(error)
            return nil
        }
    }

    /// The same with the reason for a failure.
    ///
    /// - Throws: `CocoaError` naming the file, and entity and key where they are known.
    package static func load(contentsOf url: URL) throws -> NSManagedObjectModel {
        let model = try ModelFile.load(at: url)
        // The texts of a strings file come before those that the model itself holds.
        if let texts = try LocalizationFile.dictionary(forModelAt: url) {
            model.localizationDictionary = (model.localizationDictionary ?? [:]).merging(texts) { $1 }
        }
        return model
    }

    /// The checksums of all versions of a versioned model.
    ///
    /// - Parameter modelURL: a compiled bundle (`.momd`). **Extension**: also a source bundle (`.xcdatamodeld`).
    /// - Returns: version names with the checksum of each; those that the bundle doesn't declare are computed.
    /// - Throws: `CocoaError` naming the file if it is no versioned model, or a version can't be read.
    public class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
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
            throw ModelFileError.corrupt(modelURL, "it is no versioned model (.momd or .xcdatamodeld).")
        }
        return checksums
    }

    /// Moves everything out of a model that nobody else holds.
    final func takeOver(_ other: NSManagedObjectModel) {
        entityStorage = other.entityStorage
        other.entityStorage = []
        for entity in entityStorage { entity.modelStorage = self }
        configurationStorage = other.configurationStorage
        templateStorage = other.templateStorage
        versionIdentifierStorage = other.versionIdentifierStorage
        localizationStorage = other.localizationStorage
        sourceAttributes = other.sourceAttributes
        origin = other.origin
        usesNoClasses = other.usesNoClasses
    }
}
