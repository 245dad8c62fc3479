// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Predicates over the properties of an entity, for people who don't know the language: each is a link that filters.
struct PredicateExamples {
    let entity: NSEntityDescription
    /// The time that examples with dates refer to.
    var now = Date()

    /// How many properties of each kind have examples.
    private static let count = 2
    /// A week, in seconds.
    private static let week = 604_800.0

    /// A predicate and what it finds.
    struct Example {
        let text: String
        let meaning: String
    }

    /// Names that are words of the language make no example.
    var all: [Example] {
        (ofTexts + ofNumbers + ofDates + ofFlags + ofToOne + ofToMany)
            .filter { (try? TableQuery.predicate($0.text, entity)) != nil }
    }

    /// The panel; nil for an entity without a property to compare.
    ///
    /// - Parameter query: what the links keep of the present table.
    func html(_ query: FormValues) -> HTML? {
        let examples = all
        guard !examples.isEmpty else { return nil }
        let rows = examples.map { example -> HTML in
            """
            <li><a href="\(BrowserRoute.table(entity: entity.name ?? "").path(query.with("p", example.text)))">\
            <code>\(example.text)</code></a> <span class="type">\(example.meaning)</span></li>
            """
        }
        return """
            <details class="panel"><summary>Examples of predicates</summary><ul class="examples">\(rows)</ul>
            <p class="hint">Compare with <code>== != &lt; &lt;= &gt; &gt;=</code>, <code>BETWEEN {1, 5}</code>,
            <code>IN {1, 2}</code>, <code>BEGINSWITH</code>, <code>CONTAINS</code>, <code>ENDSWITH</code>,
            <code>LIKE "a*"</code>, <code>MATCHES</code>; <code>[cd]</code> ignores case and accents. Combine with
            <code>AND</code>, <code>OR</code>, <code>NOT</code> and parentheses.</p></details>
            """
    }

    // MARK: By kind

    private var ofTexts: [Example] {
        attributes(of: entity, [.stringAttributeType]).prefix(1).flatMap { name in
            [
                Example(text: "\(name) BEGINSWITH[cd] \"a\"", meaning: "\(name) begins with a, á or A"),
                Example(text: "\(name) CONTAINS[cd] \"the\"", meaning: "\(name) has this text in it"),
            ]
        }
    }

    private var ofNumbers: [Example] {
        attributes(of: entity, Self.numbers).prefix(Self.count).map { name in
            Example(text: "\(name) > 100", meaning: "\(name) is over 100")
        }
    }

    private var ofDates: [Example] {
        attributes(of: entity, [.dateAttributeType]).prefix(1).map { name in
            let day = DateText.text(of: now.addingTimeInterval(-Self.week)).prefix(10)
            return Example(text: "\(name) >= \"\(day)\"", meaning: "\(name) is within the last week")
        }
    }

    private var ofFlags: [Example] {
        attributes(of: entity, [.booleanAttributeType]).prefix(1).map { name in
            Example(text: "\(name) == YES", meaning: "\(name) is true")
        }
    }

    private var ofToOne: [Example] {
        relationships(isToMany: false).prefix(Self.count).flatMap { relationship -> [Example] in
            let name = relationship.name
            var examples = [Example(text: "\(name) == nil", meaning: "there is no \(name)")]
            if let target = relationship.destinationEntity, let key = ObjectLabel.names(of: target).first {
                examples.append(
                    Example(
                        text: "\(name).\(key) BEGINSWITH[cd] \"a\"",
                        meaning: "\(key) of its \(name) begins with a, á or A"))
            }
            return examples
        }
    }

    private var ofToMany: [Example] {
        relationships(isToMany: true).prefix(Self.count).flatMap { relationship -> [Example] in
            let name = relationship.name
            var examples = [Example(text: "\(name).@count > 10", meaning: "there are more than 10 \(name)")]
            guard let target = relationship.destinationEntity else { return examples }
            if let number = attributes(of: target, Self.numbers).first {
                examples.append(
                    Example(text: "ANY \(name).\(number) > 100", meaning: "one of its \(name) has a \(number) over 100")
                )
            } else if let key = ObjectLabel.names(of: target).first {
                examples.append(
                    Example(
                        text: "ANY \(name).\(key) CONTAINS[cd] \"the\"",
                        meaning: "one of its \(name) has this text in its \(key)"))
            }
            return examples
        }
    }

    // MARK: Properties

    private static let numbers: [NSAttributeType] = [
        .doubleAttributeType, .floatAttributeType, .decimalAttributeType, .integer64AttributeType,
        .integer32AttributeType, .integer16AttributeType,
    ]

    /// The names of stored attributes of these types, in the order of the types.
    private func attributes(of entity: NSEntityDescription, _ types: [NSAttributeType]) -> [String] {
        let labels = ObjectLabel.names(of: entity)
        let found = entity.attributesByName.values.filter { !$0.isTransient && types.contains($0.attributeType) }
        let rank = { (attribute: NSAttributeDescription) in
            (types.firstIndex(of: attribute.attributeType) ?? 0, labels.firstIndex(of: attribute.name) ?? labels.count)
        }
        return found.sorted { (rank($0).0, rank($0).1, $0.name) < (rank($1).0, rank($1).1, $1.name) }.map(\.name)
    }

    private func relationships(isToMany: Bool) -> [NSRelationshipDescription] {
        entity.relationshipsByName.values.filter { !$0.isTransient && $0.isToMany == isToMany }
            .sorted { $0.name < $1.name }
    }
}
