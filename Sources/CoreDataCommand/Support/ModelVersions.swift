import CoreDataModel
import OpenCoreData

/// The versions in a bundle of models, source or compiled.
struct ModelVersions {
    struct Version {
        let name: String
        let url: URL
        let isCurrent: Bool

        func model() throws -> NSManagedObjectModel { try ModelFile.load(at: url) }
    }

    let url: URL
    /// In the order of their names, numbers by value.
    let versions: [Version]

    /// The versions at a path; nil if it is one model and no bundle.
    init?(at path: String) throws {
        url = URL(fileURLWithPath: path)
        if StoreFile.isStore(url) { return nil }
        switch try ModelFile.form(of: url) {
        case .sourceBundle:
            let bundle = try SourceModelBundle(at: url)
            versions = bundle.versions.map {
                Version(name: $0.name, url: $0.url, isCurrent: $0.name == bundle.currentVersion.name)
            }
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: url)
            versions = bundle.versionNames.sorted {
                $0.compare($1, options: [.numeric, .literal]) == .orderedAscending
            }
            .compactMap { name in
                bundle.modelURL(ofVersion: name).map {
                    Version(name: name, url: $0, isCurrent: name == bundle.currentVersionName)
                }
            }
        case .sourceVersion, .file:
            return nil
        }
    }

    /// The version of that name, with or without its extension.
    func version(named name: String) throws -> Version {
        guard let version = versions.first(where: { $0.name == name || $0.url.lastPathComponent == name }) else {
            throw CommandError(
                "\(url.path) has no version '\(name)'. It has: \(versions.map(\.name).joined(separator: ", ")).")
        }
        return version
    }

    var current: Version? { versions.first(where: \.isCurrent) }
}
