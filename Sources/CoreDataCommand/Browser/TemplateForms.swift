// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
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
            let types = predicate.typesOfVariables(in: try reader.entity(named: entity))
            for variable in predicate.freeVariables {
                guard let text = query["v.\(variable)"] else {
                    throw WebFault(400, "The variable $\(variable) needs a value.")
                }
                values[variable] = try Self.value(of: text, of: variable, as: types[variable])
            }
            result = result.with("p", predicate.withSubstitutionVariables(values).predicateText)
        }
        let sort = (template.sortDescriptors ?? []).compactMap { key in
            key.key.map { key.ascending ? $0 : "\($0):desc" }
        }
        if !sort.isEmpty { result = result.with("sort", sort.joined(separator: ",")) }
        return BrowserRoute.table(entity: entity).path(result)
    }

    private static func value(of text: String, of variable: String, as type: NSAttributeType?) throws -> Any {
        guard let type, AttributeText.isWritten(type) else {
            return Int64(text).map { NSNumber(value: $0) } ?? Double(text).map { NSNumber(value: $0) } ?? text
        }
        do {
            return try AttributeText.value(of: text, type: type)
        } catch {
            throw WebFault(400, "$\(variable): ‘\(text.prefix(200))’ \(error.text).")
        }
    }
}
