// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The elements of an index, and the condition of a partial one.
struct IndexForm {
    let path: ModelPath
    let element: SourceTree
    let parts: EditorParts

    var html: HTML {
        let elements = element.children(named: "fetchIndexElement")
        let rows = elements.enumerated().map { row($0.offset, $0.element) } + [row(elements.count, nil)]
        let set = EditorParts.command("set", path, ["attribute": "partialIndexPredicate"])
        return """
            <fieldset data-index="\(path.text)"><legend>Elements</legend>\(rows)
            <span class="hint">An element is a property, or an expression such as lowercase:(name). ‘none’ removes
            it.</span><p class="message" role="alert"></p></fieldset>
            <fieldset><legend>Partial index</legend><div class="setting">
            <label for="field-partialIndexPredicate">Only where</label>
            <textarea id="field-partialIndexPredicate" rows="2" data-set="\(set)" spellcheck="false" \
            aria-describedby="field-partialIndexPredicate-message">\(element["partialIndexPredicate"] ?? "")</textarea>
            <p class="message" id="field-partialIndexPredicate-message" role="alert"></p></div></fieldset>
            """
    }

    private static let orders = [(value: "ascending", text: "↑ ascending"), ("descending", "↓ descending")]

    private func row(_ index: Int, _ element: SourceTree?) -> HTML {
        let number = index + 1
        let choices = [(value: "", text: "none"), ("()", "expression")] + properties.map { ($0, $0) }
        let choice = element?["property"] ?? (element == nil ? "" : "()")
        let types = EditorFields.types.filter { !["Composite", "Transformable"].contains($0.value) }
        return """
            <div class="element"><select name="property" aria-label="Property \(number)">\
            \(EditorFields.options(choices, choice))</select>
            <select name="order" aria-label="Order \(number)">\
            \(EditorFields.options(Self.orders, element?["order"] ?? "ascending"))</select>
            <select name="type" aria-label="Kind \(number)">\
            \(EditorFields.options([("Binary", "Binary"), ("RTree", "R-tree")], element?["type"] ?? "Binary"))</select>
            <input name="expression" value="\(element?["expression"] ?? "")" aria-label="Expression \(number)" \
            placeholder="expression" spellcheck="false" autocomplete="off">
            <select name="expressionType" aria-label="Type of the expression \(number)">\
            \(EditorFields.options(types, element?["expressionType"] ?? "String"))</select></div>
            """
    }

    /// The properties of the entity, and the inherited ones.
    private var properties: [String] {
        parts.snapshot.ancestry(of: path.entityName).flatMap(\.children).filter { child in
            child.name == "attribute" || child.name == "relationship" && !child.isTrue("toMany")
        }.compactMap { $0["name"] }.sorted()
    }
}
