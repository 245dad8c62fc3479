// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The form of an object: a field for each attribute, a picker for each relationship.
struct ObjectForm {
    let object: NSManagedObject
    let reader: StoreReader
    let formToken: String
    /// The values of a form that was refused.
    let attempt: FormAttempt?
    /// Where the form is sent to.
    let route: BrowserRoute
    /// The pickers of the relationships, with the members that were read for them.
    let pickers: [RelationshipField]
    /// The marks beside the name of a property.
    private let badges: (String) -> HTML

    init(
        object: NSManagedObject, reader: StoreReader, formToken: String, attempt: FormAttempt?, route: BrowserRoute,
        badges: @escaping (String) -> HTML = { _ in "" }
    ) throws {
        self.badges = badges
        self.object = object
        self.reader = reader
        self.formToken = formToken
        self.attempt = attempt
        self.route = route
        pickers = try object.entity.storedRelationships.map {
            try RelationshipField(relationship: $0, object: object, reader: reader, attempt: attempt)
        }
    }

    private var entity: NSEntityDescription { object.entity }

    var html: HTML {
        let rows = entity.storedAttributes.map(rows)
        let relationships = pickers.map { $0.html(badges: badges($0.name)) }
        let name = BrowserRoute.ObjectName(object.objectID)
        let delete: HTML =
            object.isInserted
            ? "" : "<a class=\"button danger\" href=\"\(BrowserRoute.deletion(name).path())\">Delete …</a>"
        return """
            <form method="post" class="object" action="\(route.path())">
            <input type="hidden" name="formToken" value="\(formToken)">\(seen)\(summary)
            <h2>Attributes</h2>
            <div class="scroll"><table class="properties"><tbody>\(rows)</tbody></table></div>
            \(relationships.isEmpty ? "" : "<h2>Relationships</h2>" as HTML)\(relationships)
            <p class="save"><button class="main">\(object.isInserted ? "Create" : "Save")</button> \(delete)</p>
            </form>
            """
    }

    /// The state of the object that the form shows. After a conflict it is the present state, so that another save
    /// deliberately overwrites it.
    private var seen: HTML {
        guard !object.isInserted else { return "" }
        let kept = attempt?.isConflict == true ? nil : attempt?.form["seen"]
        return "<input type=\"hidden\" name=\"seen\" value=\"\(kept ?? ObjectState.text(of: object))\">"
    }

    /// All messages above the form, as links to their fields.
    private var summary: HTML {
        guard let refusal = attempt?.refusal else { return "" }
        let items = refusal.messages.map { message -> HTML in
            let shown = message.key.map { isShown($0) } ?? false
            guard let key = message.key else { return "<li>\(message.text)</li>" }
            return shown
                ? "<li><a href=\"#f-\(key)\">\(key)</a>: \(message.text)</li>" : "<li>\(key): \(message.text)</li>"
        }
        return """
            <div class="message problems" role="alert" tabindex="-1" autofocus><p>Nothing was saved.</p>
            <ul>\(items)</ul></div>
            """
    }

    private func isShown(_ key: String) -> Bool {
        if entity.relationshipsByName[key] != nil { return true }
        return entity.storedAttributes.contains { attribute in
            let fields = FormField.fields(of: attribute)
            return fields.contains { $0.key == key && $0.isEditable } || attribute.name == key && fields.count > 1
        }
    }

    /// The row of an attribute; for a composite one a row with its name, and one for each element.
    private func rows(_ attribute: NSAttributeDescription) -> HTML {
        let fields = FormField.fields(of: attribute)
        guard fields.first?.key != attribute.name else { return "\(fields.map(row))" }
        let name = attribute.name
        return """
            <tr><th scope="row">\(name)\(badges(name))</th><td class="value" id="f-\(name)" tabindex="-1">
            <p class="hint">nil while no element has a value.</p>\(FieldMessages(key: name, attempt: attempt).html)</td>
            <td class="type">\(ValueMarkup.type(attribute))</td></tr>\(fields.map(row))
            """
    }

    private func row(_ field: FormField) -> HTML {
        let key = field.key
        let title: HTML = field.isEditable ? "<label for=\"f-\(key)\">\(key)</label>" : "\(key)"
        return """
            <tr><th scope="row">\(title)\(field.path.count == 1 ? badges(key) : "" as HTML)</th>
            <td class="value">\(field.isEditable ? editable(field) : fixed(field))</td>
            <td class="type">\(ValueMarkup.type(field.attribute))</td></tr>
            """
    }

    /// A value that the form doesn't change.
    private func fixed(_ field: FormField) -> HTML {
        let noun: HTML? =
            switch field.attribute.attributeType {
            case .compositeAttributeType: "Composite values without elements"
            case .binaryDataAttributeType: "Binary values"
            case .transformableAttributeType: "Transformable values"
            default: nil
            }
        let hint = noun.map { "<p class=\"hint\">\($0) can’t be changed on this page.</p>" as HTML }
        return "\(value(field))\(hint)"
    }

    /// The value of a field, complete.
    private func value(_ field: FormField) -> HTML {
        field.path.count == 1
            ? ValueMarkup.full(field.attribute, of: object)
            : ValueMarkup.element(CellValue(attribute: field.attribute, value: field.value(of: object)))
    }

    private func editable(_ field: FormField) -> HTML {
        let text = FieldValue.text(of: field.value(of: object), for: field.attribute)
        guard FieldValue.isKept(text) else {
            return """
                \(value(field))<p class="hint">The text has characters that a form would
                lose, so it can't be changed here.</p>
                """
        }
        let preview = ValuePreview(text).map { "<div>\($0.html)</div>" as HTML } ?? ""
        return input(field, stored: text) + preview + FieldMessages(key: field.key, attempt: attempt).html
            + now(field, stored: text)
    }

    /// The value in the store, if the form is older and shows another value.
    private func now(_ field: FormField, stored: String) -> HTML {
        guard let attempt, attempt.isConflict, let typed = attempt.text(field.key), typed != stored else {
            return ""
        }
        let isNil = field.value(of: object) == nil
        guard !(isNil && attempt.isNil(field.key)) else { return "" }
        let value: HTML = isNil ? CellMarkup.none : "<bdi>\(ObjectLabel.cut(stored, to: 200))</bdi>"
        return "<p class=\"hint\">The store has: \(value)</p>"
    }

    private func input(_ field: FormField, stored: String) -> HTML {
        let key = field.key
        let sent = attempt?.text(key)
        let text = sent ?? stored
        let isMissing =
            sent != nil && attempt?.refusal != nil
            ? attempt?.isNil(key) == true : sent == nil && field.value(of: object) == nil
        let none: HTML =
            field.canBeNil
            ? """
             <label class="none"><input type="checkbox" name="nil.\(key)"\(isMissing ? " checked" as HTML : "")> \
            nil</label>
            """ : ""
        let hint: HTML = FieldValue.placeholder(of: field.attribute).map { " placeholder=\"\($0)\"" } ?? ""
        let state = FieldMessages(key: key, attempt: attempt).attributes
        switch field.attribute.attributeType {
        case .booleanAttributeType:
            let (yes, no): (HTML, HTML) = text == "true" ? (" selected", "") : ("", " selected")
            return """
                <select id="f-\(key)" name="v.\(key)"\(state)><option value="true"\(yes)>true</option>
                <option value="false"\(no)>false</option></select>\(none)
                """
        case .stringAttributeType where text.count > 60 || text.contains("\n"):
            return "<textarea id=\"f-\(key)\" name=\"v.\(key)\" rows=\"4\"\(state)>\n\(text)</textarea>\(none)"
        default:
            return "<input id=\"f-\(key)\" name=\"v.\(key)\" value=\"\(text)\"\(hint)\(state)>\(none)"
        }
    }
}

/// The messages at one field of a form.
struct FieldMessages {
    let key: String
    let attempt: FormAttempt?

    private var texts: [String] { attempt?.messages(for: key) ?? [] }

    /// The attributes of the field, which name its message.
    var attributes: HTML {
        texts.isEmpty ? "" : " aria-invalid=\"true\" aria-describedby=\"m-\(key)\""
    }

    var html: HTML {
        texts.isEmpty ? "" : "<p class=\"message\" id=\"m-\(key)\">\(texts.joined(separator: " "))</p>"
    }
}
