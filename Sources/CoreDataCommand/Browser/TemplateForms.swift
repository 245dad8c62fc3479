// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// The fetch requests that a model has for an entity, as forms with a field for each variable.
struct TemplateForms {
    let reader: StoreReader
    let entity: String

    private var templates: [(name: String, request: NSFetchRequest<any NSFetchRequestResult>)] {
        reader.store.coordinator.managedObjectModel.fetchRequestTemplatesByName
            .filter { $0.value.entityName == entity }.sorted { $0.key < $1.key }.map {
                (name: $0.key, request: $0.value)
            }
    }

    var html: HTML? {
        let templates = templates
        guard !templates.isEmpty else { return nil }
        let forms = templates.map { template -> HTML in
            let names = template.request.predicate?.freeVariables ?? []
            let fields = names.map { name -> HTML in
                "<label>\(name) <input name=\"v.\(name)\" required></label> "
            }
            return """
                <form action="\(BrowserRoute.table(entity: entity).path())" class="template">
                <input type="hidden" name="template" value="\(template.name)">
                <strong>\(template.name)</strong> <code>\(template.request.predicate?.predicateText ?? "all")</code>
                \(fields)<button>Fetch</button></form>
                """
        }
        return """
            <details class="panel"><summary>Fetch templates of the model (\(templates.count))</summary>
            \(forms)</details>
            """
    }

    /// The table that a form asks for, with values in place of the variables; nil if none was sent.
    func redirect(for query: FormValues) throws -> String? {
        guard let name = query["template"] else { return nil }
        guard let template = templates.first(where: { $0.name == name })?.request else {
            throw WebFault(404, "The model has no fetch request ‘\(name.prefix(200))’ for \(entity.prefix(200)).")
        }
        var result = FormValues()
        if let predicate = template.predicate {
            var values: [String: Any] = [:]
            let attributes = try attributes(of: predicate)
            for variable in predicate.freeVariables {
                guard let text = query["v.\(variable)"] else {
                    throw WebFault(400, "The variable $\(variable) needs a value.")
                }
                values[variable] = try Self.value(of: text, of: variable, for: attributes[variable])
            }
            result = result.with("p", predicate.withSubstitutionVariables(values).predicateText)
        }
        let sort = (template.sortDescriptors ?? []).compactMap { key in
            key.key.map { key.ascending ? $0 : "\($0):desc" }
        }
        if !sort.isEmpty { result = result.with("sort", sort.joined(separator: ",")) }
        return BrowserRoute.table(entity: entity).path(result)
    }

    /// The attributes with which variables are compared.
    private func attributes(of predicate: NSPredicate) throws -> [String: NSAttributeDescription] {
        let check = KeyPathCheck(entity: try reader.entity(named: entity))
        var found: [String: NSAttributeDescription] = [:]
        for comparison in Self.comparisons(of: predicate) {
            let sides = [comparison.leftExpression, comparison.rightExpression]
            guard let path = sides.first(where: { $0.expressionType == .keyPath }),
                let variable = sides.first(where: { $0.expressionType == .variable })
            else { continue }
            found[variable.variable] = try? check.property(at: path.keyPath) as? NSAttributeDescription
        }
        return found
    }

    /// The comparisons in a predicate, without the comparisons in subqueries.
    private static func comparisons(of predicate: NSPredicate) -> [NSComparisonPredicate] {
        var found: [NSComparisonPredicate] = []
        var rest = [predicate]
        while let next = rest.popLast() {
            if let comparison = next as? NSComparisonPredicate { found.append(comparison) }
            if let compound = next as? NSCompoundPredicate { rest += compound.subpredicates.reversed() }
        }
        return found
    }

    private static func value(
        of text: String, of variable: String, for attribute: NSAttributeDescription?
    ) throws -> Any {
        guard let attribute else {
            return Int64(text).map { NSNumber(value: $0) } ?? Double(text).map { NSNumber(value: $0) } ?? text
        }
        do {
            return try FieldValue.value(of: text, for: attribute) ?? NSNull()
        } catch {
            throw WebFault(400, "$\(variable): \(error)")
        }
    }
}
