/// The model that a container finds by its name.
enum ContainerModels {
    /// - Parameters:
    ///   - name: the model's file name without extension.
    ///   - container: the container's class; a subclass's module has its resource bundle searched first.
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
                remedy: "Mend the file or build it again.")
        }
    }

    private static func module(of container: NSPersistentContainer.Type) -> String? {
        if container == NSPersistentContainer.self { return nil }
        return _typeName(container, qualified: true).split(separator: ".").first.map(String.init)
    }
}
