// SPDX-License-Identifier: Apache-2.0

/// Formats parts of a model with the terms of Xcode's model editor.
package enum ModelFormatter {
    package static func name(of type: NSAttributeType) -> String { SourceSpelling.name(of: type) }

    package static func name(of rule: NSDeleteRule) -> String { SourceSpelling.name(of: rule) }

    /// The text of an expression, such as a key path or a function of key paths.
    package static func text(of expression: NSExpression) -> String { SourceDerivation.text(expression) }

    /// The kind of a property: "attribute", "derived attribute", "relationship" …
    package static func kind(of property: NSPropertyDescription) -> String {
        switch property {
        case is NSDerivedAttributeDescription: "derived attribute"
        case is NSCompositeAttributeDescription: "composite attribute"
        case is NSAttributeDescription: "attribute"
        case is NSRelationshipDescription: "relationship"
        case is NSFetchedPropertyDescription: "fetched property"
        default: "property"
        }
    }

    /// The complete text of a value of a model, such as a default value or an entry of a user info. Different values
    /// have different texts.
    package static func text(of value: Any, type: NSAttributeType = .undefinedAttributeType) -> String {
        switch value {
        case let text as String: text
        case let number as NSNumber:
            type == .booleanAttributeType ? (number.boolValue ? "true" : "false") : number.stringValue
        case let date as Date: text(of: date)
        case let data as Data: data.base64EncodedString()
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let list as [Any]: "(" + list.map { text(of: $0) }.joined(separator: ", ") + ")"
        case let dictionary as [AnyHashable: Any]:
            "{" + dictionary.map { "\(text(of: $0.key.base)): \(text(of: $0.value))" }.sorted().joined(separator: ", ")
                + "}"
        default: String(describing: value)
        }
    }

    /// ISO 8601 in UTC. A date with a fraction finer than milliseconds is formatted as seconds since 2001.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // The calendar can't format dates outside this range.
        guard abs(seconds) < 1e11, (seconds * 1000).rounded() == seconds * 1000 else {
            return "2001-01-01T00:00:00Z + \(seconds) s"
        }
        let hasFraction = seconds.rounded() != seconds
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }

    /// The elements of an index: "(name, born descending)".
    package static func text(of index: NSFetchIndexDescription) -> String {
        let elements = index.elements.map { element in
            let expression = (element.property as? NSExpressionDescription)?.expression
            var words = [expression.map(text(of:)) ?? element.propertyName ?? ""]
            if !element.isAscending { words.append("descending") }
            if element.collationType == .rTree { words.append("R-tree") }
            return words.joined(separator: " ")
        }
        return "(\(elements.joined(separator: ", ")))"
            + (index.partialIndexPredicate.map { " where \($0.predicateText)" } ?? "")
    }

    /// The counts of a relationship: "0…1", "1…20", "0…∞".
    package static func count(of relationship: NSRelationshipDescription) -> String {
        "\(relationship.minCount)…\(relationship.maxCount == 0 ? "∞" : String(relationship.maxCount))"
    }
}
