// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/new/Song`: the form of an object that is not saved yet.
struct NewObjectPage {
    let entity: NSEntityDescription
    let reader: StoreReader
    let formToken: String
    let attempt: FormAttempt

    /// - Parameter query: `of`, the relationship of an object to which the new object is added.
    init(entity name: String, query: FormValues, reader: StoreReader, formToken: String) throws {
        var values = FormValues()
        if let text = query["of"] {
            let related = try RelatedObjects(text, in: reader.store)
            if let inverse = related.relationship.inverseRelationship {
                values = FormValues([("r.\(inverse.name)", ObjectIDText(related.owner).short)])
            }
        }
        try self.init(
            entity: name, attempt: FormAttempt(form: values), reader: reader, formToken: formToken)
    }

    init(entity name: String, attempt: FormAttempt, reader: StoreReader, formToken: String) throws {
        entity = try reader.entity(named: name)
        guard !entity.isAbstract else { throw WebFault(404, "\(name) is abstract: it has no objects.") }
        self.reader = reader
        self.formToken = formToken
        self.attempt = attempt
    }

    var page: BrowserPage {
        get throws {
            let name = entity.name ?? ""
            // The context of the page is never saved.
            let object = NSManagedObject(entity: entity, insertInto: reader.context)
            let form = try ObjectForm(
                object: object, reader: reader, formToken: formToken, attempt: attempt, route: .creation(entity: name))
            return BrowserPage(
                title: "New \(name)",
                body: """
                    <p class="crumb"><a href="\(BrowserRoute.table(entity: name).path())">\(name)</a></p>
                    <h1>New <bdi>\(name)</bdi></h1>\(form.html)
                    """, status: attempt.refusal?.status ?? 200)
        }
    }

    /// The links to the forms of an entity and its subentities.
    static func links(of entity: NSEntityDescription, query: FormValues) -> [HTML] {
        let of = FormValues(query["of"].map { [("of", $0)] } ?? [])
        func all(_ entity: NSEntityDescription) -> [NSEntityDescription] {
            [entity] + entity.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap(all)
        }
        return all(entity).filter { !$0.isAbstract }.prefix(20).map { entity in
            let name = entity.name ?? ""
            return "<a class=\"button\" href=\"\(BrowserRoute.creation(entity: name).path(of))\">New \(name)</a> "
        }
    }
}
