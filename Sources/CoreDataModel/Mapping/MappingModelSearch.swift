/// Finds the mapping models of bundles.
package enum MappingModelSearch {
    /// What a search gave: the first mapping model that fits, and why others could not be looked at.
    package struct Result {
        package var model: NSMappingModel?
        package var unreadable: [any Error] = []
    }

    private static let compiledExtension = "cdm"
    private static let sourceExtension = "xcmappingmodel"

    /// The mapping model in the bundles' resources that leads from one model to another.
    ///
    /// - Parameter bundles: nil for the main bundle and the resource bundles beside the program.
    package static func find(
        in bundles: [Bundle]?, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> Result {
        var result = Result()
        for file in files(in: bundles) {
            do {
                let model = try MappingModelFile.load(at: file)
                if model.fits(from: source, to: destination) {
                    result.model = model
                    return result
                }
            } catch {
                result.unreadable.append(error)
            }
        }
        return result
    }

    /// The mapping models in the bundles' resources, sorted by path; a source with a compiled form beside it is left
    /// out.
    package static func files(in bundles: [Bundle]?) -> [URL] {
        ModelSearch.folders(of: bundles).flatMap(files(inFolder:)).sorted { $0.path < $1.path }
    }

    private static func files(inFolder folder: URL) -> [URL] {
        // A folder that isn't there holds no mapping model.
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let compiled = files.filter { $0.pathExtension == compiledExtension }
        let compiledNames = Set(compiled.map { $0.deletingPathExtension().lastPathComponent })
        let sources = files.filter {
            $0.pathExtension == sourceExtension && !compiledNames.contains($0.deletingPathExtension().lastPathComponent)
        }
        return compiled + sources
    }
}
