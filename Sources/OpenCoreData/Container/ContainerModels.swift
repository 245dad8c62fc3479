/// Finds and loads the model of a container by its name.
enum ContainerModels {
    /// Loads a model; stops the program if the model is missing or damaged.
    ///
    /// - Parameters:
    ///   - name: the name of the model's file without extension.
    ///   - container: the class of the container. The resource bundle of the module of a subclass is searched first.
    static func model(named name: String, for container: NSPersistentContainer.Type) -> NSManagedObjectModel {
        do {
            let folders = ModelSearch.folders(of: nil, module: module(of: container))
            return try NSManagedObjectModel.load(contentsOf: ModelSearch.modelFile(named: name, in: folders))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            programmingError(
                error.localizedDescription,
                remedy: """
                    Add the model to the target's resources, or load it from Bundle.module and use \
                    init(name:managedObjectModel:).
                    """
            )
        } catch {
            programmingError(
                "Failed to load the model named \(name): \(error.localizedDescription)",
                remedy: "Correct the file, or build it again.")
        }
    }

    private static func module(of container: NSPersistentContainer.Type) -> String? {
        if container == NSPersistentContainer.self { return nil }
        return _typeName(container, qualified: true).split(separator: ".").first.map(String.init)
    }
}
