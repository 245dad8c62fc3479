import OpenCoreData

/// The forms that change the store.
struct EditForms {
    let store: BrowserStore
    let request: BrowserRequest

    /// Sets the values of a form, and shows the object again.
    func change(_ name: BrowserRoute.ObjectName) throws -> BrowserResponse {
        let id = try id(name)
        try store.editor().change(id, seen: request.form["seen"], apply)
        return .redirect(to: BrowserRoute.object(.init(id)).path())
    }

    /// Deletes the object, and shows its table.
    func delete(_ name: BrowserRoute.ObjectName) throws -> BrowserResponse {
        try store.editor().delete(try id(name))
        return .redirect(to: BrowserRoute.table(entity: name.entity).path())
    }

    /// Takes the last change back.
    func undo() throws -> BrowserResponse {
        guard try store.editor().undo() else { throw BrowserFault(409, "There is nothing to undo.") }
        return .redirect(to: BrowserRoute.start.path())
    }

    private func id(_ name: BrowserRoute.ObjectName) throws -> NSManagedObjectID {
        try store.read { try $0.object(name).objectID }
    }

    /// Sets the values of the form that differ from those of the object.
    private func apply(_ object: NSManagedObject) throws {
        for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name })
        where FieldValue.isEditable(attribute) {
            let name = attribute.name
            guard request.form.has("v.\(name)") else { continue }
            let text = (request.form.values("v.\(name)").first ?? "").replacingOccurrences(of: "\r\n", with: "\n")
            let old = object.value(forKey: name)
            let oldText = FieldValue.text(of: old, for: attribute)
            guard FieldValue.isKept(oldText) else { continue }
            if request.form.has("nil.\(name)") {
                // The tick stays where it was when a text is typed into an empty field.
                if old == nil && !text.isEmpty && text != "false" {
                    try set(text, attribute, object)
                } else if old != nil {
                    object.setValue(nil, forKey: name)
                }
            } else if old == nil || text != oldText {
                let hasLongLineEnds = (old as? String)?.contains("\r\n") == true
                try set(
                    hasLongLineEnds ? text.replacingOccurrences(of: "\n", with: "\r\n") : text, attribute, object)
            }
        }
    }

    private func set(_ text: String, _ attribute: NSAttributeDescription, _ object: NSManagedObject) throws {
        do {
            object.setValue(try FieldValue.value(of: text, for: attribute), forKey: attribute.name)
        } catch let mistake as FieldValue.Mistake {
            throw BrowserFault(422, "Nothing was saved. \(mistake)")
        }
    }
}
