/// The model that a container finds by its name.
enum ContainerModels {
    static func model(named name: String) -> NSManagedObjectModel {
        var searched: [String] = []
        for folder in ModelSearch.folders(of: nil) {
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
}
