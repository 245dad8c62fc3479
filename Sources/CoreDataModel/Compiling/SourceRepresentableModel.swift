// SPDX-License-Identifier: Apache-2.0

/// A copy of a model that contains only what a source model in XML can represent.
package struct SourceRepresentableModel {
    /// The copy.
    package let model: NSManagedObjectModel
    /// A warning for each omitted part, with entity and key.
    package private(set) var findings: [ModelFinding] = []

    package init(of original: NSManagedObjectModel) {
        guard let model = original.copy() as? NSManagedObjectModel else {
            programmingError("A copy of a model is a model.")
        }
        self.model = model
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        if identifiers.count > 1 || identifiers.count != model.versionIdentifiers.count {
            recordRemoval(nil, "userDefinedModelVersionIdentifier", "more than one version identifier")
            model.versionIdentifiers = identifiers.first.map { [$0] } ?? []
        }
        for entity in model.entitiesByNameOrder {
            entity.userInfo = texts(of: entity.userInfo, entity, nil)
            for property in entity.ownProperties { removeUnrepresentableParts(property, of: entity) }
        }
        for (name, request) in model.fetchRequestTemplatesByName.sortedBytewise(by: { $0.key }) {
            removeUnrepresentableParts(request, entity: request.entityName, "the fetch request '\(name)'", key: name)
        }
    }

    private mutating func removeUnrepresentableParts(_ property: NSPropertyDescription, of entity: NSEntityDescription)
    {
        property.userInfo = texts(of: property.userInfo, entity, property)
        let subject = "\(entity.name ?? "").\(property.name)"
        if let attribute = property as? NSAttributeDescription {
            removeUnrepresentablePredicates(of: attribute, entity, subject)
            if let value = attribute.defaultValue, !Self.preservesDefaultValue(value, of: attribute) {
                recordRemoval(entity, property.name, "the default value of \(subject)")
                attribute.defaultValue = nil
            }
        } else if !property.validationPredicates.isEmpty {
            recordRemoval(entity, property.name, "the validation predicates of \(subject), which is not an attribute")
            property.setValidation(predicates: [], warnings: [])
        }
        if let derived = property as? NSDerivedAttributeDescription, derived.filteringPredicate != nil {
            recordRemoval(entity, property.name, "the filtering predicate of \(subject)")
            derived.filteringPredicate = nil
        }
        if let request = (property as? NSFetchedPropertyDescription)?.fetchRequest {
            removeUnrepresentableParts(request, entity: entity.name, "the request of \(subject)", key: property.name)
        }
    }

    /// Removes the validation predicates that are not limits.
    private mutating func removeUnrepresentablePredicates(
        of attribute: NSAttributeDescription, _ entity: NSEntityDescription, _ subject: String
    ) {
        let all = Array(zip(attribute.validationPredicates, attribute.validationWarnings))
        guard !all.isEmpty else { return }
        var representable: [(NSPredicate, Any)] = []
        for (predicate, warning) in all {
            attribute.setValidation(
                predicates: representable.map(\.0) + [predicate], warnings: representable.map(\.1) + [warning])
            if Self.preservesLimits(attribute) {
                representable.append((predicate, warning))
            } else {
                recordRemoval(
                    entity, attribute.name, "the validation predicate '\(predicate.predicateText)' of \(subject)")
            }
        }
        attribute.setValidation(predicates: representable.map(\.0), warnings: representable.map(\.1))
    }

    /// Whether the limits are read again as the same predicates, in any order.
    private static func preservesLimits(_ attribute: NSAttributeDescription) -> Bool {
        guard let texts = SourceLimits.write(attribute) else { return false }
        let element = SourceElement("attribute", texts.map { ($0.key.rawValue, $0.value) })
        let read = SourceLimits.read(element, type: attribute.attributeType)
        return read.count == attribute.validationPredicates.count
            && attribute.validationPredicates.allSatisfy { predicate in
                read.contains { $0.predicate.structurallyEquals(predicate) }
            }
    }

    private static func preservesDefaultValue(_ value: Any, of attribute: NSAttributeDescription) -> Bool {
        SourceText.text(of: value, type: attribute.attributeType).map {
            valuesAreEqual(SourceText.value(of: $0, type: attribute.attributeType), value)
        } ?? false
    }

    private mutating func removeUnrepresentableParts(
        _ request: NSFetchRequest<any NSFetchRequestResult>, entity: String?, _ subject: String, key: String
    ) {
        var parts: [String] = []
        if request.sortDescriptors?.isEmpty == false { parts.append("order") }
        if request.propertiesToFetch != nil { parts.append("list of columns") }
        if request.propertiesToGroupBy != nil || request.havingPredicate != nil { parts.append("grouping") }
        if request.fetchOffset != 0 { parts.append("offset") }
        guard !parts.isEmpty else { return }
        findings.append(Self.finding(entity, key, "the \(parts.joined(separator: ", ")) of \(subject)"))
        request.sortDescriptors = nil
        request.propertiesToFetch = nil
        request.propertiesToGroupBy = nil
        request.havingPredicate = nil
        request.fetchOffset = 0
    }

    private mutating func texts(
        of userInfo: [AnyHashable: Any]?, _ entity: NSEntityDescription, _ property: NSPropertyDescription?
    ) -> [AnyHashable: Any]? {
        guard let userInfo else { return nil }
        let subject = [entity.name ?? "", property?.name].compactMap { $0 }.joined(separator: ".")
        return userInfo.filter { key, value in
            if key.base is String, value is String { return true }
            recordRemoval(entity, property?.name, "the user info '\(key)' of \(subject), which is not a string")
            return false
        }
    }

    private mutating func recordRemoval(_ entity: NSEntityDescription?, _ key: String?, _ part: String) {
        findings.append(Self.finding(entity?.name, key, part))
    }

    private static func finding(_ entity: String?, _ key: String?, _ part: String) -> ModelFinding {
        ModelFinding(
            .warning, .decompiling, entity: entity, key: key, "a source model can't represent \(part): it is omitted"
        )
    }
}

extension SourceRepresentableModel {
    /// The parts whose value changes when the written source is read.
    static func differences(of model: NSManagedObjectModel, readBack: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.flatMap { entity -> [ModelFinding] in
            guard let other = readBack.entity(named: entity.name ?? ""), !entity.isEqual(other) else { return [] }
            let properties = entity.ownProperties.filter { property in
                !property.isEqual(other.ownProperties.first { $0.name == property.name })
            }
            if properties.isEmpty { return [changed(entity.name, nil, "the entity '\(entity.name ?? "")'")] }
            return properties.map { changed(entity.name, $0.name, "\(entity.name ?? "").\($0.name)") }
        }
    }

    private static func changed(_ entity: String?, _ key: String?, _ part: String) -> ModelFinding {
        ModelFinding(
            .warning, .decompiling, entity: entity, key: key,
            "a source model can't represent every value of \(part): a value changes")
    }
}
