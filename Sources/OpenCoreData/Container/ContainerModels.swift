/// The model that a container finds by its name.
enum ContainerModels {
    static func model(named name: String) -> NSManagedObjectModel {
        var searched: [String] = []
        for folder in folders {
            for ending in ["momd", "mom", "xcdatamodeld", "xcdatamodel"] {
                let url = folder.appendingPathComponent("\(name).\(ending)")
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                do {
                    return try ModelFile.load(at: url)
                } catch {
                    programmingError("Failed to load the model named \(name): \(error.localizedDescription)", remedy: "Mend the file \(url.path).")
                }
            }
            searched.append(folder.path)
        }
        programmingError(
            "Failed to find a model named \(name).",
            remedy: "Sought \(name).momd, .mom, .xcdatamodeld and .xcdatamodel in \(searched.joined(separator: ", ")). Load it from Bundle.module and use init(name:managedObjectModel:).")
    }

    /// The main bundle's folder and the resource bundles beside the program.
    private static var folders: [URL] {
        var result = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0 }
        let contents = (try? FileManager.default.contentsOfDirectory(at: Bundle.main.bundleURL, includingPropertiesForKeys: nil)) ?? []
        result += contents.filter { $0.pathExtension == "resources" || $0.pathExtension == "bundle" }.sorted { $0.path < $1.path }
        var seen: Set<String> = []
        return result.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
