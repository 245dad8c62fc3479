import CoreDataModel
import OpenCoreData

/// The versions of a model that are to be written.
struct ConvertedVersions {
    let models: [(name: String, model: NSManagedObjectModel)]
    let current: String
    let currentModel: NSManagedObjectModel

    /// - Parameters:
    ///   - models: all versions, with the current one.
    ///   - current: the name of the current version.
    init?(models: [(name: String, model: NSManagedObjectModel)], current: String) {
        guard let model = models.first(where: { $0.name == current })?.model else { return nil }
        self.models = models
        self.current = current
        currentModel = model
    }

    init(single model: NSManagedObjectModel, name: String) {
        models = [(name, model)]
        current = name
        currentModel = model
    }

    /// The versions without what source models have no place for, and what that is.
    var reducedToSource: (versions: ConvertedVersions, losses: [String]) {
        let reductions = models.map { (name: $0.name, reduction: SourceRepresentableModel(of: $0.model)) }
        let losses = reductions.flatMap { name, reduction in reduction.findings.map { subject(name) + $0.message } }
        let reduced = reductions.map { (name: $0.name, model: $0.reduction.model) }
        return (ConvertedVersions(models: reduced, current: current) ?? self, losses)
    }

    /// What messages about a version begin with, where there are several.
    func subject(_ name: String) -> String { models.count > 1 ? "\(name): " : "" }
}
