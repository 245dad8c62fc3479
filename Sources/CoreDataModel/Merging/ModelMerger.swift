/// Puts several models together into one, entity by entity.
struct ModelMerger {
    private var entities: [NSEntityDescription] = []
    private var positions: [String: Int] = [:]
    private var configurations: [String: [String]] = [:]
    private var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    private var versionIdentifiers: Set<AnyHashable> = []
    private var localization: [String: String] = [:]

    /// Two models that can't be merged.
    struct Conflict: Error, CustomStringConvertible {
        let kind: String
        let name: String

        /// Apple's message.
        var description: String { "Can't merge models with two different \(kind) named '\(name)'" }
    }

    /// Copies of all entities; equal entities are taken once.
    ///
    /// - Throws: `Conflict` if entities, or fetch request templates, of one name differ.
    static func merge(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        var merger = ModelMerger()
        for model in models { try merger.add(model) }
        return merger.model()
    }

    private mutating func add(_ model: NSManagedObjectModel) throws {
        for entity in model.entities {
            let name = entity.name ?? ""
            if let position = positions[name] {
                guard entities[position].isEqual(entity) else { throw Conflict(kind: "entities", name: name) }
            } else {
                positions[name] = entities.count
                entities.append(entity)
            }
        }
        for configuration in model.configurations {
            for member in model.entities(forConfigurationName: configuration) ?? [] {
                guard let name = member.name, configurations[configuration]?.contains(name) != true else { continue }
                configurations[configuration, default: []].append(name)
            }
        }
        for (name, template) in model.fetchRequestTemplatesByName {
            if let known = templates[name], !fetchRequestsAreEqual(known, template) {
                throw Conflict(kind: "fetch request templates", name: name)
            }
            templates[name] = template
        }
        versionIdentifiers.formUnion(model.versionIdentifiers)
        localization.merge(model.localizationDictionary ?? [:]) { first, _ in first }
    }

    private func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { $0.copy() as? NSEntityDescription }
        for (name, members) in configurations {
            model.setEntities(members.compactMap(model.entity(named:)), forConfigurationName: name)
        }
        for (name, template) in templates {
            let request = template.copyReferringByName()
            request.resolveEntity(in: model)
            let general: NSFetchRequest<any NSFetchRequestResult>? = request
            model.setFetchRequestTemplate(general, forName: name)
        }
        model.versionIdentifiers = versionIdentifiers
        if !localization.isEmpty { model.localizationDictionary = localization }
        return model
    }
}
