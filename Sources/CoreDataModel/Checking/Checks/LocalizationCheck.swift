// SPDX-License-Identifier: Apache-2.0

/// Localization keys must name an entity or a property of the model.
enum LocalizationCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        (model.localizationDictionary ?? [:]).keys.sortedBytewise().compactMap { key in
            problem(of: key, in: model).map {
                ModelFinding(.warning, .localization, key: key, "the localization key '\(key)' \($0)")
            }
        }
    }

    private static func problem(of key: String, in model: NSManagedObjectModel) -> String? {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "Entity" where parts.count == 2: return entityProblem(parts[1], model)
        case "Property" where parts.count == 2:
            let names = Set(model.entities.flatMap { $0.properties.map(\.name) })
            return names.contains(parts[1])
                ? nil : "names the property '\(parts[1])', which no entity has" + suggestion(parts[1], names)
        case "Property" where parts.count == 4 && parts[2] == "Entity":
            guard let entity = model.entity(named: parts[3]) else { return entityProblem(parts[3], model) }
            if entity.property(named: parts[1]) != nil { return nil }
            return "names the property '\(parts[1])', which entity '\(parts[3])' doesn't have"
                + suggestion(parts[1], entity.properties.map(\.name))
        case "ErrorString" where parts.count > 1: return nil
        default:
            return "has none of the forms Entity/NAME, Property/NAME, Property/NAME/Entity/NAME and ErrorString/TEXT"
        }
    }

    private static func entityProblem(_ name: String, _ model: NSManagedObjectModel) -> String? {
        let names = model.entities.compactMap(\.name)
        return names.contains(name)
            ? nil : "names the entity '\(name)', which the model doesn't have" + suggestion(name, names)
    }

    private static func suggestion(_ name: String, _ names: some Sequence<String>) -> String {
        NearestNames.findingSuggestion(for: name, in: names)
    }
}
