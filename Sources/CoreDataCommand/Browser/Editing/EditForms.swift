// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The forms that change the store.
struct EditForms {
    let browser: StoreBrowser
    let request: WebRequest

    private var store: BrowserStore { browser.store }
    private var formToken: String { browser.security.formToken }

    /// The answer to a form; nil for a route that is none.
    func response(to route: BrowserRoute) throws -> WebResponse? {
        switch route {
        case .change(let name): try change(name)
        case .create(let entity): try create(entity)
        case .delete(let name): try delete(["\(name.entity)/\(name.key)"], entity: name.entity)
        case .deleteSelection(let entity): try delete(request.form.values("id"), entity: entity)
        case .undo: try undo()
        case .redo: try redo()
        default: nil
        }
    }

    /// Sets the values of a form, and shows the object again; a form that is refused is shown with its values.
    private func change(_ name: BrowserRoute.ObjectName) throws -> WebResponse {
        let id = try id(name)
        do {
            let form = FormChange(form: request.form, store: store.current)
            let isChanged = try store.editor().change(id, seen: request.form["seen"], form.apply)
            return Self.show(.object(.init(id)), isChanged ? "saved" : "unchanged")
        } catch let refusal as FormRefusal {
            return browser.page(
                try store.read {
                    try ObjectPage(
                        object: $0.object(name), reader: $0, store: store, formToken: formToken,
                        attempt: FormAttempt(form: request.form, refusal: refusal)
                    ).page
                })
        }
    }

    /// Makes an object with the values of a form, and shows it.
    private func create(_ entity: String) throws -> WebResponse {
        try store.read { reader in
            // Refuses abstract entities and entities of other stores.
            _ = try NewObjectPage(entity: entity, query: FormValues(), reader: reader, formToken: formToken)
        }
        do {
            let form = FormChange(form: request.form, store: store.current)
            let id = try store.editor().create(entity, form.apply)
            return Self.show(.object(.init(id)), "created")
        } catch let refusal as FormRefusal {
            return browser.page(
                try store.read {
                    try NewObjectPage(
                        entity: entity, attempt: FormAttempt(form: request.form, refusal: refusal), reader: $0,
                        formToken: formToken
                    ).page
                })
        }
    }

    /// Deletes the objects, and shows their table.
    private func delete(_ ids: [String], entity: String) throws -> WebResponse {
        try store.editor().delete(ids.map { try id($0) })
        return Self.show(.table(entity: entity), "deleted")
    }

    /// Undoes the last change.
    private func undo() throws -> WebResponse {
        guard let route = try store.editor().undo() else { throw WebFault(409, "There is nothing to undo.") }
        return shown(route, "undone")
    }

    /// Redoes the change that was undone last.
    private func redo() throws -> WebResponse {
        guard let route = try store.editor().redo() else { throw WebFault(409, "There is nothing to redo.") }
        return shown(route, "redone")
    }

    /// The page of an object, or the table of its entity when it is gone.
    private func shown(_ route: BrowserRoute, _ done: String) -> WebResponse {
        guard case .object(let name) = route else { return Self.show(route, done) }
        let exists = (try? store.read { _ = try $0.object(name) }) != nil
        return Self.show(exists ? route : .table(entity: name.entity), done)
    }

    private static func show(_ route: BrowserRoute, _ done: String) -> WebResponse {
        .redirect(to: route.path(FormValues([("done", done)])))
    }

    private func id(_ name: BrowserRoute.ObjectName) throws -> NSManagedObjectID {
        try store.read { try $0.object(name).objectID }
    }

    /// The ID of the text `Car/p12`.
    private func id(_ text: String) throws -> NSManagedObjectID {
        guard let id = store.current.objectID(text) else { throw WebFault.notFound }
        return id
    }
}
