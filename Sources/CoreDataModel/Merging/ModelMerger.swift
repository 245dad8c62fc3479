// SPDX-License-Identifier: Apache-2.0

/// Merges several models into one, by entity.
struct ModelMerger {
    private var entities: [(entity: NSEntityDescription, model: NSManagedObjectModel)] = []
    private var positions: [String: Int] = [:]
    private var configurations: [String: [String]] = [:]
    private var templates: [String: (request: NSFetchRequest<any NSFetchRequestResult>, model: NSManagedObjectModel)] =
        [:]
    private var versionIdentifiers: Set<AnyHashable> = []
    private var localization: [String: String] = [:]

    /// Merges models: copies all entities, and copies equal entities once.
    ///
    /// - Throws: `MergeConflict` if entities or fetch request templates of one name differ.
    static func merge(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        var merger = ModelMerger()
        for model in models { try merger.add(model) }
        return merger.model()
    }

    private mutating func add(_ model: NSManagedObjectModel) throws {
        for entity in model.entities {
            let name = entity.name ?? ""
            guard let position = positions[name] else {
                positions[name] = entities.count
                entities.append((entity, model))
                continue
            }
            let known = entities[position]
            if known.entity.isEqual(entity)
                || Self.copyWithLegacyIndexes(known.entity).isEqual(Self.copyWithLegacyIndexes(entity))
            {
                continue
            }
            throw MergeConflict(
                kind: .entities, name: name, first: ModelOrigin(known.model), second: ModelOrigin(model),
                difference: EntityDifference.first(between: known.entity, and: entity),
                involvesPlaceholder: Self.isPlaceholder(known.entity) != Self.isPlaceholder(entity))
        }
        for configuration in model.configurations {
            // A configuration can be empty.
            var members = configurations[configuration] ?? []
            for case let name? in (model.entities(forConfigurationName: configuration) ?? []).map(\.name)
            where !members.contains(name) {
                members.append(name)
            }
            configurations[configuration] = members
        }
        for (name, template) in model.fetchRequestTemplatesByName.sortedBytewise(by: { $0.key }) {
            if let known = templates[name], !fetchRequestsAreEqual(known.request, template) {
                throw MergeConflict(
                    kind: .templates, name: name, first: ModelOrigin(known.model), second: ModelOrigin(model),
                    difference: "the requests differ")
            }
            templates[name] = (template, model)
        }
        versionIdentifiers.formUnion(model.versionIdentifiers)
        localization.merge(model.localizationDictionary ?? [:]) { first, _ in first }
    }

    private static func isPlaceholder(_ entity: NSEntityDescription) -> Bool {
        entity.userInfo?["IsPlaceholder"] as? String == "YES"
    }

    /// A copy as the model compiler writes it. A source model and its compiled form differ only in the forms of their
    /// indexes.
    private static func copyWithLegacyIndexes(_ entity: NSEntityDescription) -> NSEntityDescription {
        guard let copy = entity.copy() as? NSEntityDescription else { return entity }
        copy.indexes = copy.compiledIndexes
        copy.addLegacyIndexes()
        return copy
    }

    private func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { $0.entity.copy() as? NSEntityDescription }
        for (name, members) in configurations {
            model.setEntities(members.compactMap(model.entity(named:)), forConfigurationName: name)
        }
        for (name, template) in templates {
            let request = template.request.copyWithEntityName()
            request.resolveEntity(in: model)
            let general: NSFetchRequest<any NSFetchRequestResult>? = request
            model.setFetchRequestTemplate(general, forName: name)
        }
        model.versionIdentifiers = versionIdentifiers
        if !localization.isEmpty { model.localizationDictionary = localization }
        return model
    }
}
