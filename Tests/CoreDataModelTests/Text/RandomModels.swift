import CoreDataPredicates

@testable import CoreDataModel

/// Models of random parts with random combinations of all features.
struct RandomModels {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let names = [
        "a", "Title", "to-many", "x y", "été", "model", "\"q\"", "no", "unset", "名", "n.m", "_1", "-", "\\d#\"", "as",
    ]
    private static let types: [NSAttributeType] = [
        .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        .decimalAttributeType,
        .doubleAttributeType, .floatAttributeType, .stringAttributeType, .booleanAttributeType, .dateAttributeType,
        .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .transformableAttributeType,
        .objectIDAttributeType,
    ]

    private mutating func chance(_ part: Int = 3) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }
    private mutating func name(_ number: Int) -> String { pick(Self.names) + String(number) }
    private mutating func text() -> String { pick(Self.names) + pick(["", "\n", "\u{202E}", "//", " = ", "$"]) }
    private mutating func maybe<Value>(_ value: (inout RandomModels) -> Value) -> Value? {
        chance() ? value(&self) : nil
    }

    mutating func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let entities = (0..<Int.random(in: 0...6, using: &random)).map { entity($0) }
        for index in entities.indices.dropFirst() where chance() {
            entities[index - 1].subentities.append(entities[index])
        }
        model.entities = entities.shuffled(using: &random)
        for entity in entities { relationships(of: entity, entities) }
        for entity in entities { lists(of: entity) }
        if chance() { model.versionIdentifiers = Set((0..<Int.random(in: 1...2, using: &random)).map { name($0) }) }
        if chance() { model.localizationDictionary = ["Property/\(text())": text(), "Entity/a": ""] }
        if chance() {
            for key in ["sourceLanguage", "type", "usedWithCloudKit"] where chance() {
                model.sourceAttributes[key] = pick(["YES", "NO", "x", "no"])
            }
        }
        for number in 0..<2 where chance() && !entities.isEmpty {
            model.setEntities(entities.filter { _ in chance(2) }, forConfigurationName: name(number))
            model.setFetchRequestTemplate(request(pick(entities)), forName: name(number))
        }
        return model
    }

    private mutating func entity(_ number: Int) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name(number)
        entity.managedObjectClassName = maybe { $0.pick([".A", "B", "M.C", "x y"]) }
        entity.isAbstract = chance()
        entity.renamingIdentifier = maybe { $0.text() }
        entity.versionHashModifier = maybe { $0.text() }
        entity.userInfo = maybe { $0.userInfo(2) }
        if chance(6) { entity.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "a.b") }
        if chance() { entity.sourceAttributes["syncable"] = pick(["YES", "NO"]) }
        if chance() { entity.sourceAttributes["codeGenerationType"] = pick(["class", "category"]) }
        entity.properties = (0..<Int.random(in: 0...5, using: &random)).map { attribute(number * 100 + $0, depth: 0) }
        return entity
    }

    private mutating func attribute(_ number: Int, depth: Int) -> NSAttributeDescription {
        let attribute: NSAttributeDescription
        if depth < 3, chance(8) {
            let composite = NSCompositeAttributeDescription()
            composite.elements = (0..<Int.random(in: 0...2, using: &random)).map {
                self.attribute($0, depth: depth + 1)
            }
            attribute = composite
        } else if depth == 0, chance(8) {
            let derived = NSDerivedAttributeDescription()
            derived.attributeType = pick(Self.types)
            derived.derivationExpression = maybe { $0.expression() }
            derived.filteringPredicate = maybe { $0.predicate() }
            attribute = derived
        } else {
            attribute = NSAttributeDescription()
            attribute.attributeType = pick(Self.types)
            if let value = maybe({ $0.value(1) }), attribute.attributeType.accepts(value) {
                attribute.defaultValue = value
            }
            if chance() { attribute.defaultValue = fittingValue(attribute.attributeType) }
            attribute.attributeValueClassName = maybe { $0.pick(["Color", "[String]", "NSString"]) }
        }
        common(attribute, number)
        attribute.valueTransformerName = maybe { $0.pick(["T", "a b"]) }
        attribute.allowsExternalBinaryDataStorage = chance()
        attribute.preservesValueInHistoryOnDeletion = chance()
        attribute.allowsCloudEncryption = chance()
        if chance() { attribute.sourceAttributes["usesScalarValueType"] = pick(["YES", "NO"]) }
        if chance(), let limit = fittingValue(attribute.attributeType) {
            let rules: [(NSComparisonPredicate.Operator, Any)] = [
                (.greaterThanOrEqualTo, pick([1620, 1640, 1670, 1]) as Any),
                (.lessThanOrEqualTo, pick([1610, 1630, 1660]) as Any),
                (.notEqualTo, "not this"),
            ].filter { _ in chance(2) }
            attribute.setValidation(
                predicates: rules.map { LibraryModel.comparison($0.0, limit) },
                warnings: rules.map { ($0.1 as? Int).map { NSNumber(value: $0) } ?? $0.1 })
        }
        return attribute
    }

    private mutating func common(_ property: NSPropertyDescription, _ number: Int) {
        property.name = name(number)
        property.isOptional = chance(2)
        property.isTransient = chance()
        property.setHasLegacyIndex(chance(5))
        property.isIndexedBySpotlight = chance(5)
        property.setStoredInExternalRecord(chance(8))
        property.versionHashModifier = maybe { $0.text() }
        property.renamingIdentifier = maybe { $0.text() }
        property.userInfo = maybe { $0.userInfo(2) }
        if chance() { property.sourceAttributes["syncable"] = pick(["YES", "NO"]) }
    }

    private mutating func relationships(of entity: NSEntityDescription, _ entities: [NSEntityDescription]) {
        var properties = entity.ownProperties
        // The names are unique, because a redeclaration must match the inherited property.
        let place = (entities.firstIndex { $0 === entity } ?? 0) * 100 + 50
        for number in 0..<Int.random(in: 0...2, using: &random) {
            let relationship = NSRelationshipDescription()
            common(relationship, place + number)
            relationship.destinationEntity = pick(entities)
            relationship.maxCount = pick([0, 1, 1, 7, -1])
            relationship.minCount = pick([0, 0, 1])
            relationship.isOrdered = chance()
            relationship.deleteRule = pick([
                .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
            ])
            if chance(6) { relationship.setValidation(predicates: [predicate()], warnings: ["w"]) }
            if relationship.destinationEntity === entity, chance(2) { relationship.inverseRelationship = relationship }
            properties.append(relationship)
        }
        if chance() {
            let fetched = NSFetchedPropertyDescription()
            common(fetched, place + 40)
            fetched.fetchRequest = maybe { $0.request($0.pick(entities)) }
            properties.append(fetched)
        }
        entity.properties = properties.shuffled(using: &random)
    }

    private mutating func lists(of entity: NSEntityDescription) {
        let names = entity.properties.map(\.name)
        guard !names.isEmpty else { return }
        if chance() { entity.uniquenessConstraints = [[pick(names)], [pick(names), pick(names)]] }
        if chance() { entity.setLegacyCompoundIndexes([[pick(names), pick(names)]]) }
        entity.indexes = (0..<Int.random(in: 0...2, using: &random)).map { number in
            let elements = (0..<Int.random(in: 1...3, using: &random)).map { _ -> NSFetchIndexElementDescription in
                let type: NSFetchIndexElementType = chance() ? .rTree : .binary
                let element: NSFetchIndexElementDescription
                if chance() {
                    let expression = NSExpressionDescription()
                    expression.name = pick(["expression1", "other one"])
                    expression.expression = self.expression()
                    expression.expressionResultType = pick(Self.types)
                    element = NSFetchIndexElementDescription(property: expression, collationType: type)
                } else {
                    element = NSFetchIndexElementDescription(propertyName: pick(names), collationType: type)
                }
                element.isAscending = chance(2)
                return element
            }
            let index = NSFetchIndexDescription(name: name(number), elements: elements)
            index.partialIndexPredicate = maybe { $0.predicate() }
            return index
        }
    }

    private mutating func request(_ entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        request.predicate = maybe { $0.predicate() }
        request.fetchLimit = pick([0, 5])
        request.fetchOffset = pick([0, 5])
        request.fetchBatchSize = pick([0, 5])
        request.resultType = pick([
            [], .managedObjectIDResultType, .dictionaryResultType, .countResultType,
            NSFetchRequestResultType(rawValue: 9),
        ])
        request.includesSubentities = chance(2)
        request.includesPropertyValues = chance(2)
        request.includesPendingChanges = chance(2)
        request.returnsObjectsAsFaults = chance(2)
        request.returnsDistinctResults = chance(2)
        request.shouldRefreshRefetchedObjects = chance()
        if chance() {
            request.sortDescriptors = [
                NSSortDescriptor(key: "a.b", ascending: chance()),
                NSSortDescriptor(key: "x", ascending: true, selector: NSSelectorFromString("caseInsensitiveCompare:")),
            ]
        }
        if chance() {
            let total = NSExpressionDescription()
            total.name = "total"
            total.expression = expression()
            total.expressionResultType = pick(Self.types)
            request.propertiesToFetch = ["a", total]
            request.propertiesToGroupBy = ["a"]
            request.havingPredicate = predicate()
        }
        request.relationshipKeyPathsForPrefetching = maybe { $0.pick([["a"], ["a.b", "c"]]) }
        return request
    }

    private mutating func expression() -> NSExpression {
        pick([
            NSExpression(forKeyPath: "a.b"), NSExpression(forFunction: "now", arguments: []),
            .expressionForEvaluatedObject(),
            NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "a")]),
            NSExpression(forFunction: "lowercase:", arguments: [NSExpression(forKeyPath: "a")]),
        ])
    }

    private mutating func predicate() -> NSPredicate {
        let constant = chance(2) ? text() : value(1)
        let simple = LibraryModel.comparison(
            pick([.equalTo, .lessThan, .notEqualTo]), constant, on: NSExpression(forKeyPath: "a"))
        return chance(2)
            ? simple : NSCompoundPredicate(type: .or, subpredicates: [simple, NSPredicate(value: chance(2))])
    }

    private mutating func userInfo(_ depth: Int) -> [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) { userInfo[text()] = value(depth) }
        return userInfo
    }

    private mutating func value(_ depth: Int) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 9), using: &random) {
        case 0, 1: return text()
        case 2: return NSNumber(value: pick([0, -1, Int64.max, Int64.min]))
        case 3: return NSNumber(value: pick([0.1, -1e300, Double.leastNonzeroMagnitude, .infinity]))
        case 4: return NSNumber(value: chance(2))
        case 5: return NSDecimalNumber(string: pick(["1.10", "-12345678901234567890.5", "1e-100"]))
        case 6: return Date(timeIntervalSinceReferenceDate: pick([0, -0.5, 1e10, 123.456]))
        case 7: return Data((0..<UInt8(Int.random(in: 0...5, using: &random))))
        case 8: return pick([UUID(), URL(string: "https://a.b/?c#d") as Any, NSNull()])
        case 9: return [value(depth - 1), value(depth - 1)]
        default: return userInfo(depth - 1)
        }
    }

    private mutating func fittingValue(_ type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return NSNumber(value: pick([0, 7, -300]))
        case .doubleAttributeType: return NSNumber(value: pick([0.1, -7, 1e-9, 1e21]))
        case .floatAttributeType: return NSNumber(value: Float(pick([0.1, 1e20, -3])))
        case .decimalAttributeType:
            return NSDecimalNumber(string: pick(["0.50", "1e30", "12345678901234567.5", "-0.1"]))
        case .booleanAttributeType: return NSNumber(value: chance(2))
        case .stringAttributeType: return text()
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: pick([0, 86400.5, -1e9, 1e12]))
        case .UUIDAttributeType: return UUID()
        case .URIAttributeType: return URL(string: "urn:x:y")
        default: return nil
        }
    }
}
