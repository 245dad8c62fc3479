import OpenCoreData

/// The versions of a model that are to be written.
struct ConvertedVersions {
    let models: [(name: String, model: NSManagedObjectModel)]
    let current: String

    init(models: [(name: String, model: NSManagedObjectModel)], current: String) {
        self.models = models
        self.current = current
    }

    init(single model: NSManagedObjectModel, name: String) {
        self.init(models: [(name, model)], current: name)
    }

    var currentModel: NSManagedObjectModel? { models.first { $0.name == current }?.model }
}
