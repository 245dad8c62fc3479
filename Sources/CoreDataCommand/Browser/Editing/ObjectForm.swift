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

    init(
        object: NSManagedObject, reader: StoreReader, formToken: String, attempt: FormAttempt?, route: BrowserRoute
    ) throws {
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
        let rows = entity.storedAttributes.map(row)
        let relationships = pickers.map(\.html)
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

    /// The state of the object that the form shows. After a conflict it is that of now, so that another save is one
    /// of purpose.
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
        entity.relationshipsByName[key] != nil || entity.attributesByName[key].map(FieldValue.isEditable) == true
    }

    private func row(_ attribute: NSAttributeDescription) -> HTML {
        let name = attribute.name
        let isEditable = FieldValue.isEditable(attribute)
        let title: HTML = isEditable ? "<label for=\"f-\(name)\">\(name)</label>" : "\(name)"
        return """
            <tr><th scope="row">\(title)</th>
            <td class="value">\(isEditable ? editable(attribute) : fixed(attribute))</td>
            <td class="type">\(ValueMarkup.type(attribute))</td></tr>
            """
    }

    /// A value that the form doesn't change.
    private func fixed(_ attribute: NSAttributeDescription) -> HTML {
        let noun: HTML? =
            switch attribute.attributeType {
            case .compositeAttributeType: "Composite values"
            case .binaryDataAttributeType: "Binary values"
            case .transformableAttributeType: "Transformable values"
            default: nil
            }
        let hint = noun.map { "<p class=\"hint\">\($0) can’t be changed on this page.</p>" as HTML }
        return "\(ValueMarkup.full(attribute, of: object))\(hint)"
    }

    private func editable(_ attribute: NSAttributeDescription) -> HTML {
        let text = FieldValue.text(of: object.value(forKey: attribute.name), for: attribute)
        guard FieldValue.isKept(text) else {
            return """
                \(ValueMarkup.full(attribute, of: object))<p class="hint">The text has characters that a form would
                lose, so it can't be changed here.</p>
                """
        }
        let preview = ValuePreview(text).map { "<div>\($0.html)</div>" as HTML } ?? ""
        return field(attribute, stored: text) + preview + FieldMessages(key: attribute.name, attempt: attempt).html
            + now(attribute, stored: text)
    }

    /// The value of the store, when the form is older and has another one.
    private func now(_ attribute: NSAttributeDescription, stored: String) -> HTML {
        guard let attempt, attempt.isConflict, let typed = attempt.text(attribute.name), typed != stored else {
            return ""
        }
        let isNil = object.value(forKey: attribute.name) == nil
        guard !(isNil && attempt.isNil(attribute.name)) else { return "" }
        let value: HTML = isNil ? CellMarkup.none : "<bdi>\(ObjectLabel.cut(stored, to: 200))</bdi>"
        return "<p class=\"hint\">The store has: \(value)</p>"
    }

    private func field(_ attribute: NSAttributeDescription, stored: String) -> HTML {
        let name = attribute.name
        let sent = attempt?.text(name)
        let text = sent ?? stored
        let isMissing =
            sent != nil && attempt?.refusal != nil
            ? attempt?.isNil(name) == true : sent == nil && object.value(forKey: name) == nil
        let none: HTML =
            attribute.isOptional
            ? """
             <label class="none"><input type="checkbox" name="nil.\(name)"\(isMissing ? " checked" as HTML : "")> \
            nil</label>
            """ : ""
        let hint: HTML = FieldValue.placeholder(of: attribute).map { " placeholder=\"\($0)\"" } ?? ""
        let state = FieldMessages(key: name, attempt: attempt).attributes
        switch attribute.attributeType {
        case .booleanAttributeType:
            let (yes, no): (HTML, HTML) = text == "true" ? (" selected", "") : ("", " selected")
            return """
                <select id="f-\(name)" name="v.\(name)"\(state)><option value="true"\(yes)>true</option>
                <option value="false"\(no)>false</option></select>\(none)
                """
        case .stringAttributeType where text.count > 60 || text.contains("\n"):
            return "<textarea id=\"f-\(name)\" name=\"v.\(name)\" rows=\"4\"\(state)>\n\(text)</textarea>\(none)"
        default:
            return "<input id=\"f-\(name)\" name=\"v.\(name)\" value=\"\(text)\"\(hint)\(state)>\(none)"
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
