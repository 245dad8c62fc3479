// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// `/search?q=`: the objects of all entities whose texts have the words.
struct SearchPage {
    let text: String
    let reader: StoreReader

    /// How many objects of an entity are listed.
    private static let count = 10

    var page: BrowserPage {
        get throws {
            let search = ObjectSearch(text)
            guard !search.text.isEmpty else {
                return page(
                    "<p class=\"empty\">Type words of a text, a UUID, or an ID such as <code>Song/p12</code>.</p>")
            }
            let sections = try reader.entities.filter { !$0.isAbstract }.compactMap { try section($0, search) }
            return page(
                sections.isEmpty
                    ? "<p class=\"empty\" role=\"status\">No object has a text with these words.</p>" : "\(sections)")
        }
    }

    private func page(_ body: HTML) -> BrowserPage {
        BrowserPage(
            title: "Search", section: nil, body: "<h1>Search: <bdi>\(ObjectLabel.cut(text, to: 200))</bdi></h1>" + body)
    }

    private func section(_ entity: NSEntityDescription, _ search: ObjectSearch) throws -> HTML? {
        let name = entity.name ?? ""
        let found = try search.objects(
            of: entity, store: reader.store, ofAllTexts: true, includesSubentities: false, limit: Self.count + 1,
            in: reader.context)
        guard !found.isEmpty else { return nil }
        let items = found.prefix(Self.count).map { object -> HTML in
            """
            <li>\(CellMarkup.link(to: object)) <span class="type">\(ObjectIDText(object.objectID).short)</span>\
            \(place(of: object, search))</li>
            """
        }
        let more: HTML
        if found.count > Self.count, let predicate = search.predicate(of: entity, ofAllTexts: true) {
            let path = BrowserRoute.table(entity: name).path(FormValues([("p", predicate.predicateText)]))
            more = "<p><a href=\"\(path)\">All of them</a></p>"
        } else {
            more = ""
        }
        return "<section><h2>\(name)</h2><ul class=\"found\">\(items)</ul>\(more)</section>"
    }

    /// The attribute with the words, when the label lacks them.
    private func place(of object: NSManagedObject, _ search: ObjectSearch) -> HTML {
        guard let word = search.words.first, !contains(ObjectLabel.text(of: object), word) else { return "" }
        for name in ObjectSearch.texts(of: object.entity) {
            guard let text = object.value(forKey: name) as? String, contains(text, word) else { continue }
            return " <span class=\"type\">\(name):</span> <bdi>\(ObjectLabel.cut(text, to: 120))</bdi>"
        }
        return ""
    }

    private func contains(_ text: String, _ word: String) -> Bool {
        text.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
}
