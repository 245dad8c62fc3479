// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

extension NSManagedObjectModel {
    /// Makes a request of a fetch request template whose variables have values that came as texts, as in the query of a
    /// URL. **Extension.**
    ///
    /// ```swift
    /// // byArtist: artist.name == $NAME AND year >= $YEAR
    /// let request = try model.fetchRequestFromTemplate(
    ///     withName: "byArtist", texts: ["NAME": "Nina Simone", "YEAR": "1965"])
    /// ```
    ///
    /// A text becomes a value of the attribute, or a number for the count, with which its variable is compared. A
    /// constant has any number of values: `==` and `IN` with it mean one of them, other comparisons need a single one.
    ///
    /// - Parameters:
    ///   - name: the name of the template.
    ///   - texts: the texts, by the names of the variables without the dollar sign.
    ///   - constants: variables that have values of the program, as the user of a token. No text replaces one. Texts
    ///     and UUIDs become what the attribute has.
    /// - Returns: the request; nil if the model has no template of the name.
    /// - Throws: ``TemplateVariableError`` for a variable without a text, for a text that is no value of the type, for
    ///   a text of a variable that the template doesn't have or that is a constant, and for a variable that is compared
    ///   with something else than an attribute or a count.
    public final func fetchRequestFromTemplate(
        withName name: String, texts: [String: String], constants: [String: [Any]] = [:]
    ) throws -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = fetchRequestTemplate(forName: name) else { return nil }
        let types = typesOfVariables(inTemplate: name)
        if let unknown = texts.keys.sorted().first(where: { types[$0] == nil || constants[$0] != nil }) {
            throw TemplateVariableError(unknown, "the template has no such variable")
        }
        var values: [String: Any] = [:]
        for (variable, type) in types.sorted(by: { $0.key < $1.key }) where constants[variable] == nil {
            guard let text = texts[variable] else { throw TemplateVariableError(variable, "it needs a value") }
            values[variable] = try TemplateVariableError.value(of: text, for: variable, type)
        }
        guard let request = template.copy() as? NSFetchRequest<any NSFetchRequestResult> else { return nil }
        let constants = TemplateConstants(values: constants, types: types)
        request.predicate = try template.predicate?.replacingComparisons(constants.replaced)
            .withSubstitutionVariables(values)
        return request
    }

    /// The variables of a fetch request template, with the types of the attributes with which they are compared; nil
    /// for one that is compared with something else. **Extension.**
    ///
    /// - Parameter name: the name of the template.
    public final func typesOfVariables(inTemplate name: String) -> [String: NSAttributeType?] {
        guard let template = fetchRequestTemplate(forName: name), let predicate = template.predicate else { return [:] }
        let entity = template.entityName.flatMap { entitiesByName[$0] }
        let types = entity.map(predicate.typesOfVariables) ?? [:]
        return Dictionary(predicate.freeVariables.map { ($0, types[$0]) }) { one, _ in one }
    }
}

/// Constants in place of variables.
private struct TemplateConstants {
    let values: [String: [Any]]
    let types: [String: NSAttributeType?]

    /// The comparison with the values of a constant in place of its variable.
    func replaced(_ comparison: NSComparisonPredicate) throws -> NSComparisonPredicate {
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        let constant = [left, right].first { $0.expressionType == .variable && values[$0.variable] != nil }
        guard let constant else { return comparison }
        let list = values[constant.variable]?.compactMap { converted($0, constant.variable) } ?? []
        let isList = comparison.predicateOperatorType == .in && constant === right
        if comparison.predicateOperatorType == .equalTo || isList {
            return NSComparisonPredicate(
                leftExpression: constant === right ? left : right,
                rightExpression: NSExpression(forConstantValue: list),
                modifier: comparison.comparisonPredicateModifier, type: .in, options: comparison.options)
        }
        guard list.count == 1 else {
            throw TemplateVariableError(constant.variable, "it has \(list.count) values, where one is needed")
        }
        let value = NSExpression(forConstantValue: list[0])
        return comparison.with(left: constant === left ? value : left, right: constant === right ? value : right)
    }

    private func converted(_ value: Any, _ variable: String) -> Any? {
        switch (types[variable] ?? nil, value) {
        case (.UUIDAttributeType?, let text as String): UUID(uuidString: text)
        case (.stringAttributeType?, let uuid as UUID): uuid.uuidString
        default: value
        }
    }
}

/// A variable of a fetch request template that has no value, or one that it can't have. **Extension.**
public struct TemplateVariableError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The name of the variable, without the dollar sign.
    public let variable: String
    /// The reason.
    public let reason: String

    init(_ variable: String, _ reason: String) {
        self.variable = variable
        self.reason = reason
    }

    /// The variable and the reason.
    public var description: String { "$\(variable.prefix(100)): \(reason)." }

    /// The variable and the reason.
    public var errorDescription: String? { description }

    fileprivate static func value(of text: String, for variable: String, _ type: NSAttributeType?) throws -> Any {
        guard let type else {
            throw TemplateVariableError(variable, "it is compared with something else than an attribute or a count")
        }
        do {
            return try AttributeText.value(of: text, type: type)
        } catch {
            throw TemplateVariableError(variable, "“\(text.prefix(100))” \(error.text)")
        }
    }
}
