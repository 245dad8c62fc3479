// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The versions and mapping models at the paths of `--models`.
struct KnownModels {
    private(set) var versions: [ModelVersion] = []
    private(set) var mappings: [MigrationRoute.KnownMapping] = []

    /// Reads the files and bundles at paths. A folder that is no model itself is searched, with the folders in it.
    init(paths: [String]) throws {
        for path in paths { try add(URL(fileURLWithPath: path)) }
    }

    private mutating func add(_ url: URL) throws {
        if MappingModelSearch.isMappingModel(url) {
            mappings.append(try MigrationRoute.KnownMapping(at: url))
            return
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let endings = ["momd", "xcdatamodeld", "xcdatamodel"]
        guard exists, isFolder.boolValue, !endings.contains(url.pathExtension) else {
            versions += try ModelVersion.versions(at: url)
            return
        }
        let (oldVersions, oldMappings) = (versions.count, mappings.count)
        try search(url)
        if versions.count == oldVersions, mappings.count == oldMappings {
            throw CommandError("The folder \(url.path) contains no model and no mapping model.")
        }
    }

    private mutating func search(_ folder: URL) throws {
        let models = ModelSearch.modelFiles(inFolder: folder).sorted { $0.path < $1.path }
        for model in models { versions += try ModelVersion.versions(at: model) }
        mappings += MigrationRoute.KnownMapping.load(MappingModelSearch.files(inFolder: folder)) {
            StandardStreams.error("warning: \(ErrorReport.text(for: $0))")
        }
        let contents = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        for file in contents.sorted(by: { $0.path < $1.path })
        where file.hasDirectoryPath && !models.contains(file) && !MappingModelSearch.isMappingModel(file)
            && !["momd", "xcdatamodeld", "xcdatamodel"].contains(file.pathExtension)
        {
            try search(file)
        }
    }

    /// The current version of the bundle that has made a store, or is nearest to it.
    func current(for hashes: [String: Data]) -> ModelVersion? {
        let origin =
            StoreIncompatibility.version(of: hashes, among: versions)
            ?? ModelVersion.nearest(to: hashes, among: versions)
        guard let origin else { return versions.count == 1 ? versions[0] : nil }
        guard let bundle = origin.bundle else { return origin }
        return versions.first { $0.bundle == bundle && $0.isCurrent }
    }
}
