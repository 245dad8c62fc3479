// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A version of a model in a file, known by its version hashes. The model itself is read when it is needed.
package final class ModelVersion {
    /// The name of the version's file, without extension.
    package let name: String
    /// The file of the version.
    let url: URL
    /// The bundle with the version; nil for a single model.
    package let bundle: URL?
    /// Whether the version is the current one of its bundle; true for a single model.
    package let isCurrent: Bool
    /// The version hashes by the names of the entities.
    package let versionHashes: [String: Data]

    private var loaded: NSManagedObjectModel?

    private init(
        name: String, url: URL, bundle: URL?, isCurrent: Bool, versionHashes: [String: Data],
        loaded: NSManagedObjectModel?
    ) {
        self.name = name
        self.url = url
        self.bundle = bundle
        self.isCurrent = isCurrent
        self.versionHashes = versionHashes
        self.loaded = loaded
    }

    /// A version that the program has as a model.
    convenience init(_ model: NSManagedObjectModel) {
        let url = model.origin ?? URL(fileURLWithPath: model.versionChecksum)
        self.init(
            name: url.deletingPathExtension().lastPathComponent, url: url, bundle: nil, isCurrent: false,
            versionHashes: model.entityVersionHashesByName, loaded: model)
    }

    /// The versions of models that the program gives. If all models come from one bundle, the versions are in the order
    /// of their names.
    package static func ordered(_ models: [NSManagedObjectModel]) -> [ModelVersion] {
        let versions = models.map { ModelVersion($0) }
        let folders = Set(models.map { $0.origin?.deletingLastPathComponent() })
        guard folders.count == 1, let folder = folders.first ?? nil, isBundle(folder) else { return versions }
        return versions.sortedByVersionName(\.name)
    }

    private static func isBundle(_ url: URL) -> Bool { ["momd", "xcdatamodeld"].contains(url.pathExtension) }

    /// The version as a part of a sentence: "version “Shop 2” of Shop.momd".
    package var text: String {
        bundle.map { "version \u{201c}\(name)\u{201d} of \($0.lastPathComponent)" } ?? "model \(url.lastPathComponent)"
    }

    /// The model of the version, ready to be compared.
    ///
    /// - Throws: the errors of reading a model file.
    package func model() throws -> NSManagedObjectModel {
        if let loaded { return loaded }
        let model = try Self.read(url)
        loaded = model
        return model
    }

    /// A frozen model computes its version hashes once.
    private static func read(_ url: URL) throws -> NSManagedObjectModel {
        let model = try ModelFile.load(at: url)
        if model.firstProblem() == nil { model.freeze() }
        return model
    }

    // MARK: Finding

    /// All versions in a model file or bundle, in the order of their names; numbers in names are compared by value.
    ///
    /// - Throws: the errors of reading a model file. A compiled bundle is opened without reading its models, if it
    ///   declares their version hashes.
    package static func versions(at url: URL) throws -> [ModelVersion] {
        switch try ModelFile.form(of: url) {
        case .compiledBundle:
            let bundle = try CompiledModelBundle(at: url)
            let names = bundle.versionNames.sortedByVersionName(\.self)
            return try names.compactMap { name in
                guard let file = bundle.modelURL(ofVersion: name) else { return nil }
                let isCurrent = name == bundle.currentVersionName
                if let hashes = bundle.versionHashes[name], !hashes.isEmpty {
                    return ModelVersion(
                        name: name, url: file, bundle: url, isCurrent: isCurrent, versionHashes: hashes, loaded: nil)
                }
                return try version(name, at: file, in: url, isCurrent: isCurrent)
            }
        case .sourceBundle:
            let bundle = try SourceModelBundle(at: url)
            return try bundle.versions.map {
                try version($0.name, at: $0.url, in: url, isCurrent: $0.name == bundle.currentVersion.name)
            }
        case .sourceVersion, .file:
            return [try version(url.deletingPathExtension().lastPathComponent, at: url, in: nil, isCurrent: true)]
        }
    }

    private static func version(_ name: String, at url: URL, in bundle: URL?, isCurrent: Bool) throws -> ModelVersion {
        let model = try read(url)
        return ModelVersion(
            name: name, url: url, bundle: bundle, isCurrent: isCurrent, versionHashes: model.entityVersionHashesByName,
            loaded: model)
    }

    /// The versions that a program knows: the versions in the bundle that a model was read from, then the versions in
    /// the program's resources. Files that can't be read are left out.
    package static func known(besides model: NSManagedObjectModel) -> [ModelVersion] {
        var files = ModelSearch.modelFiles(in: nil)
        if let origin = model.origin {
            let folder = origin.deletingLastPathComponent()
            let bundle = (isBundle(folder) ? folder : origin).resolvingSymlinksInPath().standardizedFileURL
            files.removeAll { $0.resolvingSymlinksInPath().standardizedFileURL == bundle }
            files.insert(bundle, at: 0)
        }
        return files.flatMap { (try? versions(at: $0)) ?? [] }
    }

    /// The version of a list that shares most entities with a store. Among equals a current version comes first, then
    /// the last one.
    ///
    /// - Returns: nil if no version has an entity of the store.
    package static func nearest(to hashes: [String: Data], among versions: [ModelVersion]) -> ModelVersion? {
        func distance(_ version: ModelVersion) -> Int {
            Set(hashes.keys).union(version.versionHashes.keys)
                .count { hashes[$0] != version.versionHashes[$0] }
        }
        let related = versions.filter { version in hashes.contains { version.versionHashes[$0.key] == $0.value } }
        return related.enumerated().min { left, right in
            let (one, other) = (distance(left.element), distance(right.element))
            if one != other { return one < other }
            if left.element.isCurrent != right.element.isCurrent { return left.element.isCurrent }
            return left.offset > right.offset
        }?.element
    }
}
