// SPDX-License-Identifier: Apache-2.0

/// Finds the mapping models of bundles.
package enum MappingModelSearch {
    /// The result of a search: the first matching mapping model, and the errors of files that can't be read.
    package struct Result {
        var model: NSMappingModel?
        var unreadable: [any Error] = []
    }

    private static let sourceExtension = "xcmappingmodel"

    /// Finds a mapping model between two models in the resources of bundles.
    ///
    /// - Parameters:
    ///   - bundles: nil for the main bundle and the resource bundles beside the program.
    ///   - source: the model to migrate from.
    ///   - destination: the model to migrate to.
    static func find(
        in bundles: [Bundle]?, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> Result {
        var result = Result()
        for file in files(in: bundles) {
            do {
                let model = try MappingModelFile.load(at: file)
                if model.matches(from: source, to: destination) {
                    result.model = model
                    return result
                }
            } catch {
                result.unreadable.append(error)
            }
        }
        return result
    }

    /// The mapping models that a program knows: first in its resources, then in the folder with a model’s file.
    package static func files(besides model: NSManagedObjectModel) -> [URL] {
        let known = files(in: nil)
        guard let origin = model.origin else { return known }
        var folder = origin.deletingLastPathComponent()
        if ["momd", "xcdatamodeld"].contains(folder.pathExtension) { folder.deleteLastPathComponent() }
        return known + files(inFolder: folder).filter { !known.contains($0) }
    }

    /// The mapping models in the resources of bundles, sorted by path. A source with a compiled form beside it is
    /// omitted.
    package static func files(in bundles: [Bundle]?) -> [URL] {
        ModelSearch.folders(of: bundles)
            .flatMap(files(inFolder:))
            .sorted { $0.path < $1.path }
    }

    /// The mapping models in a folder. A source with a compiled form beside it is omitted.
    package static func files(inFolder folder: URL) -> [URL] {
        ModelSearch.files(
            inFolder: folder, compiled: [MappingModelFile.compiledExtension], sources: [sourceExtension])
    }

    /// Whether a file is a mapping model, by its extension.
    package static func isMappingModel(_ url: URL) -> Bool {
        [MappingModelFile.compiledExtension, sourceExtension].contains(url.pathExtension)
    }
}
