// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/o/Song/p12`: one object.
struct ObjectPage {
    let object: NSManagedObject
    let reader: StoreReader
    let store: BrowserStore
    let formToken: String
    /// The word for the form that led here: `saved`.
    var done: String?
    /// The values of a refused form.
    var attempt: FormAttempt?

    private static let memberCount = 20

    var page: BrowserPage {
        get throws {
            let entity = object.entity
            let name = entity.name ?? ""
            let key = "p\(object.objectID.key)"
            let label = ObjectLabel.text(of: object)
            let sync = ObjectSyncNotes(of: object.objectID, reader: reader, store: store)
            let body: HTML = """
                <p class="crumb"><a href="\(BrowserRoute.table(entity: name).path())">\(name)</a> / \(key)</p>
                <h1><bdi>\(label)</bdi></h1>\(DoneNotice(done).html)\(sync.html)\(try content(sync))
                <p class="hint">\(ObjectIDText(object.objectID).uri)</p>
                """
            return BrowserPage(
                title: label, body: body,
                command: FetchCommandLine(store: store, entity: name, id: "\(name)/\(key)").text,
                status: attempt?.refusal?.status ?? 200, showsSync: true)
        }
    }

    private func content(_ sync: ObjectSyncNotes) throws -> HTML {
        guard store.isEditable else {
            var related = 0
            let sections = try object.entity.storedRelationships.map { try section($0, sync, &related) }
            return problems(related) + "<h2>Attributes</h2>" + table(object.entity.storedAttributes, sync)
                + "\(sections.isEmpty ? "" : "<h2>Relationships</h2>" as HTML)\(sections)"
        }
        let form = try ObjectForm(
            object: object, reader: reader, formToken: formToken, attempt: attempt,
            route: .change(.init(object.objectID)), badges: sync.badges)
        guard attempt == nil else { return form.html }
        return problems(form.pickers.reduce(0) { $0 + $1.count }) + form.html
    }

    // MARK: Attributes

    private func table(_ attributes: [NSAttributeDescription], _ sync: ObjectSyncNotes) -> HTML {
        let rows = attributes.map { attribute -> HTML in
            """
            <tr><th scope="row">\(attribute.name)\(sync.badges(attribute.name))</th>\
            <td class="value">\(ValueMarkup.full(attribute, of: object))</td>
            <td class="type">\(ValueMarkup.type(attribute))</td></tr>
            """
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Attributes"><table class="properties">
            <thead class="hidden"><tr><th>Name</th><th>Value</th><th>Type</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    // MARK: Relationships

    private func section(
        _ relationship: NSRelationshipDescription, _ sync: ObjectSyncNotes, _ related: inout Int
    ) throws -> HTML {
        let (members, count) = try RelationshipMembers(
            object: object, relationship: relationship, limit: Self.memberCount, reader: reader
        ).first()
        let head: HTML
        var items: HTML = ""
        if relationship.isToMany {
            related += count
            let path = CellMarkup.members(of: object, relationship)
            head = "<a href=\"\(path)\">\(Amount.text(count, "object"))</a>"
            let list = members.map { "<li>\(CellMarkup.link(to: $0))</li>" as HTML }
            let more: HTML =
                count > members.count
                ? "<li class=\"more\"><a href=\"\(path)\">all \(Amount.text(count))</a></li>" : ""
            if !members.isEmpty {
                items = relationship.isOrdered ? "<ol>\(list)\(more)</ol>" : "<ul>\(list)\(more)</ul>"
            }
        } else {
            head = members.first.map(CellMarkup.link) ?? CellMarkup.none
        }
        return """
            <section class="relationship"><h3>\(relationship.name)\(sync.badges(relationship.name))</h3><p>\(head)
            <span class="type">\(ValueMarkup.type(relationship))</span></p>\(items)</section>
            """
    }

    // MARK: Validation

    /// The properties that a save would refuse. Objects with very many related objects are not checked, since the check
    /// would read all of these.
    private func problems(_ related: Int) -> HTML {
        guard related <= 1_000 else {
            return "<p class=\"hint\">Validation reads all related objects: it is left out for so many.</p>"
        }
        do {
            try object.validateForUpdate()
            return ""
        } catch {
            let list = ValidationMessages.of(error).map { "<li>\($0)</li>" as HTML }
            return """
                <div class="message problems" role="note"><p>A save would refuse this object:</p>
                <ul>\(list)</ul></div>
                """
        }
    }
}

/// The line that says what a form has done.
struct DoneNotice {
    private let text: String?

    /// - Parameter done: the value of `done` in the address.
    init(_ done: String?) {
        text =
            switch done {
            case "saved": "Saved."
            case "created": "Created and saved."
            case "unchanged": "Nothing to save: the form has the values of the store."
            case "deleted": "Deleted. Undo takes it back."
            case "undone": "Taken back and saved."
            case "redone": "Done again and saved."
            default: nil
            }
    }

    var html: HTML { text.map { "<p class=\"done\" role=\"status\">\($0)</p>" as HTML } ?? "" }
}
