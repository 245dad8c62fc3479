/// What follows from the definition of a model, computed once when it becomes immutable.
final class FrozenModelState {
    let entitiesByName: [String: NSEntityDescription]
    let entityVersionHashesByName: [String: Data]
    let versionChecksum: String

    init(of model: NSManagedObjectModel) {
        entitiesByName = model.entitiesByName
        entityVersionHashesByName = model.computeEntityVersionHashes()
        versionChecksum = VersionHashSummary.checksum(of: entityVersionHashesByName)
    }
}
