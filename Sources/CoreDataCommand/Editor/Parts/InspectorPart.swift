// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The settings of the selected element.
struct InspectorPart {
    let parts: EditorParts

    private var at: ModelPath { parts.view.at }
    private var snapshot: EditorSnapshot { parts.snapshot }

    var html: HTML {
        guard let element = snapshot.root.element(at: at) else { return "" }
        switch at.kind {
        case "model": return model(element)
        case "entity": return entity(element)
        case "attribute":
            let composites = snapshot.root.children(named: "composite").compactMap { $0["name"] }
            return frame(element, "Attribute", groups(EditorFields.attribute(element, composites: composites), element))
        case "relationship":
            return frame(
                element, "Relationship",
                groups(
                    EditorFields.relationship(element, entities: snapshot.entityNames, inverses: inverses(of: element)),
                    element))
        case "fetchedProperty": return fetchedProperty(element)
        case "fetchIndex": return frame(element, "Index", IndexForm(path: at, element: element, parts: parts).html)
        case "fetchRequest":
            return frame(
                element, "Fetch request",
                groups(EditorFields.fetchRequest(entities: snapshot.entityNames), element))
        case "configuration": return configuration(element)
        default: return frame(element, "Composite", "<p class=\"hint\">Its attributes are in the list.</p>")
        }
    }

    /// The heading, the name, the settings, the user info, and a button that removes the element.
    private func frame(_ element: SourceTree, _ title: String, _ body: HTML) -> HTML {
        let keeps: HTML =
            ["entity", "attribute", "relationship"].contains(at.kind) && element["elementID"] == nil
            ? """
            <label class="check"><input type="checkbox" data-keeps> set the renaming ID, so
            that a migration keeps the values</label>
            """ : ""
        return """
            <h2>\(title)</h2>\(problems)
            <div class="setting"><label for="field-name">Name</label>
            <input id="field-name" value="\(element["name"] ?? "")" data-rename="\(at.text)" spellcheck="false" \
            autocomplete="off" aria-describedby="field-name-message">\(keeps)
            <p class="message" id="field-name-message" role="alert">\(message(for: "name"))</p></div>
            \(body)\(userInfo(element))
            <p class="actions"><button class="danger" data-command="\(EditorParts.command("remove", at))">\
            Remove \(title.lowercased())</button></p>
            """
    }

    /// The findings about the element that no setting shows.
    private var problems: HTML {
        let shown = Set(EditorFields.kinds.filter { fieldNames.contains($0.key) }.flatMap(\.value))
        let findings = ownFindings.filter { !shown.contains($0.kind) }
        guard !findings.isEmpty else { return "" }
        return "<div class=\"problems\"><ul>\(findings.map { "<li>\($0.message).</li>" as HTML })</ul></div>"
    }

    private var ownFindings: [ModelFinding] {
        let key = at.steps.count > 1 ? at.steps[1].name : nil
        guard let entity = at.entityName else {
            return snapshot.model.findings.filter { $0.entity == nil && $0.key == at.name }
        }
        return snapshot.model.findings.filter {
            $0.entity == entity && ($0.key == key || at.kind == "entity" && $0.key == entity)
        }
    }

    /// The settings that the inspector shows for the element.
    private var fieldNames: Set<String> {
        switch at.kind {
        case "entity": ["name", "className", "parentEntity", "elementID"]
        case "attribute":
            [
                "name", "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString",
                "minDateTimeInterval", "valueTransformerName", "elementID",
            ]
        case "relationship": ["name", "inverseName", "deletionRule", "minCount", "elementID"]
        case "fetchRequest", "fetchedProperty": ["name", "predicateString"]
        default: ["name"]
        }
    }

    private func message(for attribute: String) -> String {
        guard let kinds = EditorFields.kinds[attribute] else { return "" }
        return ownFindings.filter { kinds.contains($0.kind) }.map { "\($0.message)." }.joined(separator: " ")
    }

    private func groups(_ groups: [(title: String, fields: [EditorField])], _ element: SourceTree) -> HTML {
        groups.reduce("" as HTML) { html, group in
            html + "<fieldset><legend>\(group.title)</legend>\(group.fields.map { field($0, element) })</fieldset>"
        }
    }

    // MARK: Fields

    private func field(_ field: EditorField, _ element: SourceTree, at place: ModelPath? = nil) -> HTML {
        let id = "field-\(field.attribute)"
        let value = value(of: field, element)
        let command = EditorParts.command("set", place ?? at, ["attribute": field.attribute])
        let message = message(for: field.attribute)
        let common: HTML = """
            id="\(id)" data-set="\(command)" aria-describedby="\(id)-message"\
            \(message.isEmpty ? "" : " aria-invalid=\"true\"" as HTML)
            """
        let placeholder: HTML = field.placeholder.map { " placeholder=\"\($0)\"" } ?? ""
        let control: HTML
        switch field.control {
        case .flag, .opposite:
            let isOn = value == "YES" || field.isOpposite && value != "NO"
            return """
                <div class="setting"><label class="check"><input type="checkbox" \(common)\
                \(isOn ? " checked" : "" as HTML)> \(field.label)</label>\(help(field))\
                <p class="message" id="\(id)-message" role="alert">\(message)</p></div>
                """
        case .choice(let choices):
            control = "<select \(common)>\(EditorFields.options(choices, value))</select>"
        case .multiline:
            control = "<textarea rows=\"3\" \(common)\(placeholder) spellcheck=\"false\">\(value)</textarea>"
        case .number:
            control = """
                <input \(common) value="\(value)" inputmode="numeric"\(placeholder) autocomplete="off">
                """
        case .text, .date:
            control = """
                <input \(common) value="\(value)"\(placeholder) spellcheck="false" autocomplete="off">
                """
        }
        return """
            <div class="setting"><label for="\(id)">\(field.label)</label>\(control)\(help(field))
            <p class="message" id="\(id)-message" role="alert">\(message)</p></div>
            """
    }

    private func help(_ field: EditorField) -> HTML {
        field.help.map { "<span class=\"hint\">\($0)</span>" } ?? ""
    }

    private func value(of field: EditorField, _ element: SourceTree) -> String {
        switch field.attribute {
        case "className": return ModelClassName(element["representedClassName"]).name
        case "module": return ModelClassName(element["representedClassName"]).module
        default: break
        }
        let value = element[field.attribute] ?? ""
        if case .date = field.control { return AttributeValue.dateText(value) }
        if field.attribute == "attributeType", value.isEmpty { return "Undefined" }
        return value
    }

    // MARK: Kinds

    private func model(_ element: SourceTree) -> HTML {
        let fields = [
            EditorField(
                "userDefinedModelVersionIdentifier", "Identifier", help: "A text that names this version for people."),
            EditorField("minimumToolsVersion", "Tools version"), EditorField("sourceLanguage", "Language of classes"),
        ]
        let cloud = EditorField("usedWithCloudKit", "Used with CloudKit", .flag)
        return "<h2>Model</h2>\(problems)" + groups([("Version", fields), ("Use", [cloud])], element)
    }

    private func entity(_ element: SourceTree) -> HTML {
        let name = element["name"] ?? ""
        let parents = snapshot.entityNames.filter { $0 != name }
        return frame(
            element, "Entity",
            groups(EditorFields.entity(parents: parents), element) + constraints(element))
    }

    private func constraints(_ element: SourceTree) -> HTML {
        let lists = element.child(named: "uniquenessConstraints")?.children ?? []
        let text = lists.map { $0.children.compactMap { $0["value"] }.joined(separator: ", ") }
        return """
            <fieldset><legend>Uniqueness constraints</legend><div class="setting">
            <label for="field-uniquenessConstraints">One in each line</label>
            <textarea id="field-uniquenessConstraints" rows="\(max(2, text.count + 1))" spellcheck="false" \
            data-constraints="\(at.text)" placeholder="email" aria-describedby="field-uniquenessConstraints-message">\
            \(text.joined(separator: "\n"))</textarea><span class="hint">A comma separates attributes that are unique \
            together.</span>
            <p class="message" id="field-uniquenessConstraints-message" role="alert"></p></div></fieldset>
            """
    }

    /// The relationships that can be the inverse.
    private func inverses(of element: SourceTree) -> [String] {
        let own = snapshot.ancestry(of: at.entityName).compactMap { $0["name"] }
        return snapshot.ancestry(of: element["destinationEntity"]).flatMap { $0.children(named: "relationship") }
            .filter { other in
                let target = other["destinationEntity"] ?? ""
                return own.contains(target) || snapshot.ancestry(of: target).contains { $0["name"] == at.entityName }
            }.compactMap { $0["name"] }.sorted()
    }

    private func fetchedProperty(_ element: SourceTree) -> HTML {
        let fields = [
            EditorField("entity", "Entity", .choice(snapshot.entityNames.map { ($0, $0) })),
            EditorField(
                "predicateString", "Predicate", .multiline,
                help: "$FETCH_SOURCE is the object that has the property.", placeholder: "artist == $FETCH_SOURCE"),
        ]
        var body: HTML = ""
        if let request = element.child(named: "fetchRequest") {
            let path = at.child("fetchRequest", request["name"] ?? "")
            body = "<fieldset><legend>Request</legend>\(fields.map { field($0, request, at: path) })</fieldset>"
        }
        let own = [
            EditorField("optional", "Optional", .flag), EditorField("elementID", "Renaming ID"),
            EditorField("versionHashModifier", "Hash modifier"),
        ]
        return frame(element, "Fetched property", body + groups([("Property", own)], element))
    }

    private func configuration(_ element: SourceTree) -> HTML {
        let members = Set(element.children(named: "memberEntity").compactMap { $0["name"] })
        let boxes = snapshot.entityNames.map { name -> HTML in
            """
            <label class="check"><input type="checkbox" name="member" value="\(name)"\
            \(members.contains(name) ? " checked" : "" as HTML)> <bdi>\(name)</bdi></label>
            """
        }
        return frame(
            element, "Configuration",
            groups([("Use", [EditorField("usedWithCloudKit", "Used with CloudKit", .flag)])], element) + """
                <fieldset class="members" data-members="\(at.text)"><legend>Entities</legend>\(boxes)
                <p class="message" role="alert"></p></fieldset>
                """)
    }

    private func userInfo(_ element: SourceTree) -> HTML {
        guard at.kind == "entity" || SourceTree.propertyKinds.contains(at.kind) else { return "" }
        let entries = (element.child(named: "userInfo")?.children ?? []).map { ($0["key"] ?? "", $0["value"] ?? "") }
        let rows = (entries + [("", "")]).enumerated().map { index, entry -> HTML in
            """
            <div class="pair"><input name="key" value="\(entry.0)" aria-label="Key \(index + 1)" placeholder="key" \
            spellcheck="false" autocomplete="off"><input name="value" value="\(entry.1)" \
            aria-label="Value \(index + 1)" placeholder="value" spellcheck="false" autocomplete="off"></div>
            """
        }
        return """
            <fieldset data-user-info="\(at.text)"><legend>User info</legend>\(rows)
            <p class="message" role="alert"></p></fieldset>
            """
    }
}

extension EditorField {
    fileprivate var isOpposite: Bool { if case .opposite = control { true } else { false } }
}
