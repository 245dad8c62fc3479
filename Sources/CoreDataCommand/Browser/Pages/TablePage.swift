// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/e/Song`: a table of objects.
struct TablePage {
    let entity: String
    let request: WebRequest
    let reader: StoreReader
    let store: BrowserStore

    static let rowCount = 100

    private var query: FormValues { request.query }

    var page: BrowserPage {
        get throws {
            let entity = try reader.entity(named: entity)
            do {
                return try content(entity)
            } catch let fault as WebFault where fault.status == 400 {
                // The text stays in its box, so that it can be mended.
                return BrowserPage(
                    title: self.entity, body: head(entity, message: fault.message), status: 400)
            } catch let error as NSError where error.code == NSCoreDataError && query["p"] != nil {
                // The store can't evaluate the predicate.
                return BrowserPage(
                    title: self.entity, body: head(entity, message: ErrorReport.text(for: error)), status: 400)
            }
        }
    }

    private func content(_ entity: NSEntityDescription) throws -> BrowserPage {
        let table = try TableQuery(self.entity, query, reader: reader)
        if query["anyway"] == nil, let key = try table.longSortKey() {
            return BrowserPage(title: self.entity, body: head(entity, message: nil) + question(key))
        }
        let columns = self.columns(of: entity)
        let isBackward = query["before"] != nil
        let start = try (query["after"] ?? query["before"]).map { text -> NSManagedObjectID in
            guard let id = reader.store.objectID(text) else { throw WebFault(404, "There is no such object.") }
            return id
        }
        let toOne = columns.filter { ($0 as? NSRelationshipDescription)?.isToMany == false }.map(\.name)
        var objects = try table.objects(
            after: start, isBackward: isBackward, limit: Self.rowCount + 1, prefetching: toOne)
        let hasMore = objects.count > Self.rowCount
        if hasMore { if isBackward { objects.removeFirst() } else { objects.removeLast() } }
        let hasPrevious = isBackward ? hasMore : start != nil
        let hasNext = isBackward || hasMore
        let count = BrowserRoute.count(entity: self.entity).path(scope)
        var body = head(entity, message: nil)
        body += DoneNotice(query["done"]).html
        if store.isEditable { body += "<p class=\"pager\">\(NewObjectPage.links(of: entity, query: query))</p>" }
        body += """
            <p class="summary"><span role="status">Objects: <a href="\(count)" data-count="\(count)">count</a></span>
            · save all as <a href="\(BrowserRoute.export(entity: self.entity, format: "csv").path(ordered))">CSV</a>
            or <a href="\(BrowserRoute.export(entity: self.entity, format: "json").path(ordered))">JSON</a></p>
            """
        body += grid(objects, columns, table)
        if objects.isEmpty {
            let isWhole = table.predicate == nil && table.related == nil
            body +=
                "<p class=\"empty\">\(isWhole ? "The store has no object of this entity." : "No object matches.")</p>"
        }
        body += pager(objects, hasPrevious: hasPrevious, hasNext: hasNext)
        return BrowserPage(
            title: self.entity, body: body,
            command: table.commandLine(store, columns: nil, limit: Self.rowCount).text)
    }

    /// The values of the URL that select objects.
    private var scope: FormValues { query.without("done", "after", "before", "columns", "sort", "anyway") }
    /// The values of the URL that another predicate leaves as they are.
    private var kept: FormValues { query.without("done", "p", "after", "before", "anyway") }
    private var ordered: FormValues { query.without("done", "after", "before", "columns", "anyway") }

    /// The question that is shown instead of a table whose order would take long.
    private func question(_ key: String) -> HTML {
        let count = Amount.text(TableQuery.sortLimit)
        let plain = query.without("done", "after", "before", "sort")
        return """
            <div class="message problems" role="alert"><p>No index begins with <strong>\(key)</strong>: to show
            the first objects by it, the store must sort all of them, more than \(count) objects. That can take a
            minute.</p></div>
            <nav class="pager" aria-label="Order">
            <a class="button" href="\(BrowserRoute.table(entity: self.entity).path(plain))">Without an order</a>
            <a class="button" href="\(BrowserRoute.table(entity: self.entity).path(query.with("anyway", "1")))">Sort
            anyway</a></nav>
            <p class="hint">A predicate that leaves fewer objects helps, too, or an index of \(key) in the model.</p>
            """
    }

    // MARK: Above the table

    private func head(_ entity: NSEntityDescription, message: String?) -> HTML {
        let check = BrowserRoute.predicateCheck(entity: self.entity).path()
        let hidden =
            ["of", "sort"].map { name in query[name].map { hiddenField(name, $0) } }.compactMap { $0 }
            + query.values("columns").map { hiddenField("columns", $0) }
        let relation = query["of"].map { text -> HTML in
            let parts = text.split(separator: "/").map(String.init)
            guard parts.count >= 3 else { return "" }
            let entity = parts.dropLast(2).joined(separator: "/")
            let name = BrowserRoute.ObjectName(entity: entity, key: parts[parts.count - 2])
            let owner = (try? reader.object(name)).map(ObjectLabel.text)
            return """
                <p class="crumb">\(parts[parts.count - 1]) of <a href="\(BrowserRoute.object(name).path())"><bdi>\
                \(owner ?? "\(entity) \(name.key)")</bdi></a></p>
                """
        }
        return """
            <h1><bdi>\(self.entity)</bdi></h1>\(relation)
            <form class="filter" action="\(BrowserRoute.table(entity: self.entity).path())" role="search">
            <label for="p">Predicate</label>
            <div class="field"><input id="p" name="p" value="\(query["p"] ?? "")" autocomplete="off" spellcheck="false"
            aria-keyshortcuts="/" data-check="\(check)" aria-describedby="p-message" placeholder="\(example(entity))">
            <button>Filter</button></div>
            <p id="p-message" class="message" role="alert">\(message ?? "")</p>\(hidden)</form>
            <div class="panels">\(PredicateExamples(entity: entity).html(kept))\
            \(TemplateForms(reader: reader, entity: self.entity).html)\(chooser(entity))</div>
            """
    }

    private func hiddenField(_ name: String, _ value: String) -> HTML {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }

    private func example(_ entity: NSEntityDescription) -> String {
        PredicateExamples(entity: entity).all.first?.text ?? "TRUEPREDICATE"
    }

    /// All columns that a table may have.
    private func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes: [NSPropertyDescription] = entity.storedAttributes
        let all = attributes + entity.storedRelationships
        // The attribute that names an object comes first.
        let names = ObjectLabel.names(of: entity)
        let named = names.prefix(1).compactMap { name in all.first { $0.name == name } }
        // Values that few people read come last.
        let isOpaque: (NSPropertyDescription) -> Bool = { property in
            let type = (property as? NSAttributeDescription)?.attributeType
            return type == .compositeAttributeType || type == .binaryDataAttributeType
                || type == .transformableAttributeType || type == .UUIDAttributeType
        }
        let others = all.filter { property in !named.contains { $0 === property } }
        return named + others.filter { !isOpaque($0) } + others.filter(isOpaque)
    }

    private func columns(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let all = properties(of: entity)
        let chosen = Set(query.values("columns").flatMap { $0.split(separator: ",").map(String.init) })
        let found = all.filter { chosen.contains($0.name) }
        return found.isEmpty ? Array(all.prefix(30)) : found
    }

    private func chooser(_ entity: NSEntityDescription) -> HTML {
        let shown = Set(columns(of: entity).map(\.name))
        let boxes = properties(of: entity).map { property -> HTML in
            """
            <label><input type="checkbox" name="columns" value="\(property.name)"\
            \(shown.contains(property.name) ? " checked" as HTML : "")> \(property.name)</label>
            """
        }
        let hidden = ["p", "of", "sort"].compactMap { name in query[name].map { hiddenField(name, $0) } }
        return """
            <details class="panel"><summary>Columns</summary>\
            <form action="\(BrowserRoute.table(entity: self.entity).path())">
            <fieldset><legend class="hidden">Columns</legend>\(boxes)</fieldset>\(hidden)<button>Show</button></form>\
            </details>
            """
    }

    // MARK: The table

    private func grid(_ objects: [NSManagedObject], _ columns: [NSPropertyDescription], _ table: TableQuery) -> HTML {
        let heads = columns.map { head(of: $0, table) }
        let label = ObjectLabel.names(of: table.entity).first
        let rows = objects.map { object -> HTML in
            let path = BrowserRoute.object(.init(object.objectID)).path()
            let cells = columns.map { column -> HTML in
                var value = CellMarkup.short(column, of: object)
                // The name of an object leads to its page.
                if column.name == label, object.value(forKey: column.name) != nil {
                    value = "<a href=\"\(path)\" tabindex=\"-1\">\(value)</a>"
                }
                return "<td\(CellMarkup.isNumber(column) ? " class=\"number\"" as HTML : "")>\(value)</td>"
            }
            let name = (object.entity.name == entity ? "" : "\(object.entity.name ?? "") ") + "p\(object.objectID.key)"
            return """
                <tr><th scope="row">\(tick(object, name))<a href="\(path)">\(name)</a></th>\(cells)</tr>
                """
        }
        let table: HTML = """
            <div class="scroll" tabindex="0" role="region" aria-label="Objects"><table class="grid"><thead><tr>
            <th scope="col">ID</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            """
        guard store.isEditable, !objects.isEmpty else { return table }
        return """
            <form class="selection" action="\(BrowserRoute.deletionOfSelection(entity: entity).path())">\(table)
            <p><button class="danger">Delete the ticked ones …</button></p></form>
            """
    }

    /// The tick that adds an object to the selection.
    private func tick(_ object: NSManagedObject, _ name: String) -> HTML {
        guard store.isEditable else { return "" }
        let id = ObjectIDText(object.objectID).short
        return "<input type=\"checkbox\" name=\"id\" value=\"\(id)\" aria-label=\"Choose \(name)\"> "
    }

    /// A heading that sorts: by its column alone, or by the column after those that sort already.
    private func head(of property: NSPropertyDescription, _ table: TableQuery) -> HTML {
        let name = property.name
        let isSortable =
            (property as? NSAttributeDescription).map {
                ![
                    .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType,
                    .objectIDAttributeType,
                ]
                .contains($0.attributeType)
            } ?? false
        let kind: HTML = CellMarkup.isNumber(property) ? " class=\"number\"" : ""
        guard isSortable else { return "<th scope=\"col\"\(kind)>\(name)</th>" }
        let keys = table.order.keys
        let position = keys.firstIndex { $0.keyPath == name }
        let isDescending = position.map { keys[$0].isAscending } ?? false
        let term = isDescending ? "\(name):desc" : name
        let other = keys.map { key in
            key.keyPath == name ? term : key.isAscending ? key.keyPath : "\(key.keyPath):desc"
        }
        let also = (position == nil ? other + [term] : other).joined(separator: ",")
        let mark = position.map { " \(keys[$0].isAscending ? "↑" : "↓")\(keys.count > 1 ? String($0 + 1) : "")" } ?? ""
        let order: HTML =
            position.map {
                " aria-sort=\"\(keys[$0].isAscending ? "ascending" : "descending")\""
            } ?? ""
        let add: HTML =
            keys.isEmpty || position != nil && keys.count == 1
            ? ""
            : """
             <a class="also" href="\(link(sort: also))" title="Sort also by \(name)"
            aria-label="Sort also by \(name)">+</a>
            """
        return """
            <th scope="col"\(kind)\(order)><a href="\(link(sort: term))" title="Sort by \(name)">\(name)\(mark)</a>\
            \(add)</th>
            """
    }

    private func link(sort: String) -> String {
        BrowserRoute.table(entity: entity).path(query.without("done", "after", "before", "anyway").with("sort", sort))
    }

    private func pager(_ objects: [NSManagedObject], hasPrevious: Bool, hasNext: Bool) -> HTML {
        let plain = query.without("done", "after", "before")
        func link(_ title: String, _ query: FormValues, _ relation: HTML) -> HTML {
            "<a class=\"button\" href=\"\(BrowserRoute.table(entity: entity).path(query))\"\(relation)>\(title)</a> "
        }
        var links: HTML = ""
        if hasPrevious {
            links += link("First page", plain, "")
            if let first = objects.first {
                links += link(
                    "← Previous", plain.with("before", ObjectIDText(first.objectID).short), " rel=\"prev\"")
            }
        }
        if hasNext, let last = objects.last {
            links += link("Next →", plain.with("after", ObjectIDText(last.objectID).short), " rel=\"next\"")
        }
        if links.text.isEmpty { return "" }
        return "<nav class=\"pager\" aria-label=\"Parts of the table\">\(links)</nav>"
    }
}
