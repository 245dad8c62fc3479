// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// The comparable values of the model, without its entities.
    final var aspects: [ModelAspect] {
        let identifiers = versionIdentifiers.map { ModelFormatter.text(of: $0.base) }.filter { !$0.isEmpty }.sorted()
        var aspects = [
            ModelAspect("version identifier", identifiers.isEmpty ? nil : identifiers.joined(separator: ", "))
        ]
        aspects += configurations.map { name in
            let members = (entities(forConfigurationName: name) ?? []).compactMap(\.name).sortedBytewise()
            return ModelAspect("configuration \(name)", "(\(members.joined(separator: ", ")))")
        }
        for (name, request) in fetchRequestTemplatesByName.sortedBytewise(by: { $0.key }) {
            aspects.append(ModelAspect("fetch request \(name)", Self.text(of: request)))
        }
        aspects += (localizationDictionary ?? [:]).sortedBytewise { $0.key }
            .map { ModelAspect("localization “\($0.key)”", $0.value) }
        return aspects
    }

    /// A fetch request on one line: its entity, its predicate, and the options that differ from their defaults.
    package static func text(of request: NSFetchRequest<any NSFetchRequestResult>) -> String {
        aspects(of: request).compactMap { aspect in
            switch aspect.value {
            case .flag(let flag, let yes, let no): String((flag ? yes : no).dropFirst("now ".count))
            case .text(let text?): aspect.name == "entity" ? text : "\(aspect.name) \(text)"
            case .text, .present: nil
            }
        }.joined(separator: ", ")
    }

    /// The comparable values of a fetch request. Flags with their default value are omitted.
    static func aspects(of request: NSFetchRequest<any NSFetchRequestResult>) -> [ModelAspect] {
        var aspects = [
            ModelAspect("entity", request.entityName),
            ModelAspect("where", request.predicate?.predicateText),
            ModelAspect("sorted by", sortText(request.sortDescriptors)),
            ModelAspect("limit", number(request.fetchLimit)),
            ModelAspect("offset", number(request.fetchOffset)),
            ModelAspect("batch size", number(request.fetchBatchSize)),
            ModelAspect("result type", number(Int(request.resultType.rawValue))),
            ModelAspect("properties", names(request.propertiesToFetch)),
            ModelAspect("grouped by", names(request.propertiesToGroupBy)),
            ModelAspect("having", request.havingPredicate?.predicateText),
            ModelAspect(
                "prefetching", request.relationshipKeyPathsForPrefetching.map { "(\($0.joined(separator: ", ")))" }),
        ]
        func add(_ name: String, _ flag: Bool, defaultValue: Bool, yes: String, no: String) {
            if flag != defaultValue { aspects.append(ModelAspect(name, flag ? yes : no)) }
        }
        add("subentities", request.includesSubentities, defaultValue: true, yes: "included", no: "left out")
        add("property values", request.includesPropertyValues, defaultValue: true, yes: "included", no: "left out")
        add("pending changes", request.includesPendingChanges, defaultValue: true, yes: "included", no: "left out")
        add("objects", request.returnsObjectsAsFaults, defaultValue: true, yes: "as faults", no: "with their values")
        add("results", request.returnsDistinctResults, defaultValue: false, yes: "distinct", no: "all")
        add(
            "refetched objects", request.shouldRefreshRefetchedObjects, defaultValue: false, yes: "refreshed",
            no: "kept")
        return aspects
    }

    private static func number(_ value: Int) -> String? { value == 0 ? nil : String(value) }

    private static func names(_ properties: [Any]?) -> String? {
        properties.map { list in
            let names = list.map { ($0 as? NSPropertyDescription)?.name ?? ModelFormatter.text(of: $0) }
            return "(" + names.joined(separator: ", ") + ")"
        }
    }

    private static func sortText(_ descriptors: [NSSortDescriptor]?) -> String? {
        guard let descriptors, !descriptors.isEmpty else { return nil }
        return descriptors.map { ($0.key ?? "?") + ($0.ascending ? "" : " descending") }.joined(separator: ", ")
    }
}
