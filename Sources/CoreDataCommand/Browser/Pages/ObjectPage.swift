import OpenCoreData

/// `/o/Song/p12`: one object.
struct ObjectPage {
    let object: NSManagedObject
    let reader: StoreReader
    let store: BrowserStore
    let formToken: String

    private static let memberCount = 20
    private static let textLimit = 20_000

    var page: BrowserPage {
        get throws {
            let entity = object.entity
            let name = entity.name ?? ""
            let key = "p\(object.objectID.key)"
            var related = 0
            let relationships = try entity.relationshipsByName.values.sorted { $0.name < $1.name }
                .filter { !$0.isTransient }.map { try section($0, &related) }
            let attributes = entity.attributesByName.values.sorted { $0.name < $1.name }.filter { !$0.isTransient }
            let label = ObjectLabel.text(of: object)
            let body: HTML = """
                <p class="crumb"><a href="\(BrowserRoute.table(entity: name).path())">\(name)</a> / \(key)</p>
                <h1><bdi>\(label)</bdi></h1>\(problems(related))
                <h2>Attributes</h2>\(store.isEditable ? form(attributes) : table(attributes))
                \(relationships.isEmpty ? "" : "<h2>Relationships</h2>" as HTML)\(relationships)
                <p class="hint">\(object.objectID.uriRepresentation().absoluteString)</p>
                """
            return BrowserPage(
                title: label, body: body,
                command: FetchCommandLine(store: store, entity: name, id: "\(name)/\(key)").text)
        }
    }

    // MARK: Attributes

    private func table(_ attributes: [NSAttributeDescription]) -> HTML {
        let rows = attributes.map { attribute -> HTML in
            """
            <tr><th scope="row">\(attribute.name)</th><td class="value">\(value(attribute))</td>
            <td class="type">\(type(attribute))</td></tr>
            """
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Attributes"><table class="properties">
            <thead class="hidden"><tr><th>Name</th><th>Value</th><th>Type</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private func type(_ attribute: NSAttributeDescription) -> String {
        AttributeOutline(attribute: attribute).typeName + (attribute.isOptional ? ", optional" : "")
    }

    private func value(_ attribute: NSAttributeDescription) -> HTML {
        let cell = CellValue(attribute: attribute, value: object.value(forKey: attribute.name))
        switch cell {
        case .text(let text) where text.utf8.count > Self.textLimit:
            let path = BrowserRoute.value(.init(object.objectID), key: attribute.name).path()
            return """
                <bdi class="text">\(ObjectLabel.cut(text, to: Self.textLimit))</bdi>
                <p><a href="\(path)">Save all of it, \(Amount.text(text.utf8.count, "byte"))</a></p>
                """
        case .text(let text): return "<bdi class=\"text\">\(text)</bdi>"
        case .data(let data):
            let link = CellMarkup.binary(data, attribute, object)
            let path = BrowserRoute.value(.init(object.objectID), key: attribute.name).path()
            guard BinaryType(of: data).mediaType != nil else { return link }
            return "<img src=\"\(path)\" alt=\"\(attribute.name)\" loading=\"lazy\"><br>\(link)"
        case .date: return "<time>\(cell.text)</time>"
        default: return CellMarkup.short(attribute, of: object)
        }
    }

    // MARK: Relationships

    private func section(_ relationship: NSRelationshipDescription, _ related: inout Int) throws -> HTML {
        let destination = relationship.destinationEntity?.name ?? ""
        let inverse = relationship.inverseRelationship.map { "inverse \(destination).\($0.name)" } ?? "no inverse"
        let kind = (relationship.isOrdered ? "ordered, " : "") + "to " + (relationship.isToMany ? "many" : "one")
        let head: HTML
        var items: HTML = ""
        if relationship.isToMany {
            let (members, count) = try members(of: relationship)
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
            let target = object.value(forKey: relationship.name) as? NSManagedObject
            head = target.map(CellMarkup.link) ?? CellMarkup.none
        }
        return """
            <section class="relationship"><h3>\(relationship.name)</h3><p>\(head)
            <span class="type">\(kind) \(destination), \(inverse)</span></p>\(items)</section>
            """
    }

    /// The first members of a relationship in their order, and their number.
    private func members(of relationship: NSRelationshipDescription) throws -> ([NSManagedObject], Int) {
        if relationship.isOrdered || relationship.inverseRelationship == nil {
            let value = object.value(forKey: relationship.name)
            let all = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
            let objects = all.compactMap { $0 as? NSManagedObject }
            let sorted = relationship.isOrdered ? objects : objects.sorted { $0.objectID.key < $1.objectID.key }
            return (Array(sorted.prefix(Self.memberCount)), objects.count)
        }
        let related = try RelatedObjects(owner: object.objectID, relationship: relationship, in: reader.store)
        let request = NSFetchRequest<NSManagedObject>(entityName: relationship.destinationEntity?.name ?? "")
        request.predicate = related.predicate
        let count = try reader.context.count(for: request)
        request.fetchLimit = Self.memberCount
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        return (count == 0 ? [] : try reader.context.fetch(request), count)
    }

    // MARK: Validation

    /// The properties that a save would refuse. Objects with very many related ones are not checked, since that would
    /// read them.
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

    // MARK: Editing

    private func form(_ attributes: [NSAttributeDescription]) -> HTML {
        let rows = attributes.map { attribute -> HTML in
            """
            <tr><th scope="row"><label for="f-\(attribute.name)">\(attribute.name)</label></th>
            <td class="value">\(FieldValue.isEditable(attribute) ? editable(attribute) : value(attribute))</td>
            <td class="type">\(type(attribute))</td></tr>
            """
        }
        let name = BrowserRoute.ObjectName(object.objectID)
        return """
            <form method="post" action="\(BrowserRoute.change(name).path())">
            <input type="hidden" name="formToken" value="\(formToken)">
            <input type="hidden" name="seen" value="\(ObjectState.text(of: object))">
            <div class="scroll"><table class="properties"><tbody>\(rows)</tbody></table></div>
            <p><button class="main">Save</button>
            <a class="button danger" href="\(BrowserRoute.deletion(name).path())">Delete …</a></p></form>
            """
    }

    private func editable(_ attribute: NSAttributeDescription) -> HTML {
        let text = FieldValue.text(of: object.value(forKey: attribute.name), for: attribute)
        guard FieldValue.isKept(text) else {
            return """
                \(value(attribute))<p class="hint">The text has characters that a form would lose, so it can't be
                changed here.</p>
                """
        }
        return field(attribute)
    }

    private func field(_ attribute: NSAttributeDescription) -> HTML {
        let raw = object.value(forKey: attribute.name)
        let text = FieldValue.text(of: raw, for: attribute)
        let name = attribute.name
        let isMissing: HTML = raw == nil ? " checked" : ""
        let none: HTML =
            attribute.isOptional
            ? " <label class=\"none\"><input type=\"checkbox\" name=\"nil.\(name)\"\(isMissing)> nil</label>" : ""
        switch attribute.attributeType {
        case .booleanAttributeType:
            let (yes, no): (HTML, HTML) = text == "true" ? (" selected", "") : ("", " selected")
            return """
                <select id="f-\(name)" name="v.\(name)"><option value="true"\(yes)>true</option>
                <option value="false"\(no)>false</option></select>\(none)
                """
        case .stringAttributeType where text.count > 60 || text.contains("\n"):
            return "<textarea id=\"f-\(name)\" name=\"v.\(name)\" rows=\"4\">\n\(text)</textarea>\(none)"
        default:
            return "<input id=\"f-\(name)\" name=\"v.\(name)\" value=\"\(text)\">\(none)"
        }
    }
}

/// The messages of a validation error, one for each property.
enum ValidationMessages {
    static func of(_ error: any Error) -> [String] {
        let error = error as NSError
        let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return parts.map { part in
            let key = part.userInfo[NSValidationKeyErrorKey] as? String
            return (key.map { "\($0): " } ?? "") + "\(part.localizedDescription) (\(part.code))"
        }
    }
}
