// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/history`: the transactions as a timeline, the newest first.
struct HistoryPage {
    let request: WebRequest
    let reader: StoreReader
    let store: BrowserStore

    private static let transactionCount = 50
    private static let changeCount = 100
    /// Longer lists are closed until they are asked for.
    private static let openCount = 12

    /// Days begin at midnight in UTC, as in all dates of the pages.
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    var page: BrowserPage {
        get throws {
            let part: HistoryPart
            do {
                part = try HistoryPart(
                    after: start, before: request.query["before"].flatMap { Int64($0) }, limit: Self.transactionCount,
                    readLimit: request.query["anyway"] == nil ? HistoryPart.readLimit : .max, in: reader.context)
            } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
                return page(
                    """
                    <p class="empty">The store has no history: the program that writes it doesn't set
                    <code>NSPersistentHistoryTrackingKey</code>. What has changed can't be told.</p>
                    """)
            }
            guard let last = part.entries.last else {
                return page(filters + "<p class=\"empty\">No transaction in this time.</p>")
            }
            let ids = part.entries.flatMap { ($0.changes ?? []).prefix(Self.changeCount).map(\.changedObjectID) }
            let labels = try reader.context.objects(of: ids).mapValues { ObjectLabel.text(of: $0) }
            let days = Dictionary(grouping: part.entries) {
                String(DateText.text(of: $0.transaction.timestamp).prefix(10))
            }
            let sections = days.sorted { $0.key > $1.key }.map { day, entries -> HTML in
                let items = entries.map { item($0, labels) }
                return "<section><h2>\(day)</h2><ol class=\"timeline\">\(items)</ol></section>"
            }
            let older: HTML =
                part.hasOlder
                ? """
                <nav class="pager" aria-label="Parts of the history"><a class="button"
                href="\(path(before: last.transaction.transactionNumber))">Older →</a></nav>
                """ : ""
            return page(filters + (part.isIncomplete ? question : "") + "\(sections)\(older)")
        }
    }

    private func page(_ body: HTML) -> BrowserPage {
        BrowserPage(title: "History", section: .history, body: "<h1>History</h1>" + body)
    }

    private func path(before number: Int64) -> String {
        BrowserRoute.history.path(request.query.without("anyway").with("before", String(number)))
    }

    private var filters: HTML {
        let links = [(nil, "All"), ("0", "Today"), ("1", "Since yesterday"), ("7", "Last 7 days")].map {
            days, title -> HTML in
            let query = FormValues(days.map { [("days", $0)] } ?? [])
            let isCurrent = request.query["days"] == days
            return """
                <a class="button" href="\(BrowserRoute.history.path(query))"\
                \(isCurrent ? " aria-current=\"true\"" as HTML : "")>\(title)</a>
                """
        }
        return "<nav class=\"pager\" aria-label=\"Time\">\(links)</nav>"
    }

    /// The question that is shown beside transactions whose changes would take long to read.
    private var question: HTML {
        let path = BrowserRoute.history.path(request.query.with("anyway", "1"))
        return "<p class=\"hint\">Very many changes are not listed. <a href=\"\(path)\">List them anyway</a>.</p>"
    }

    /// Where the history begins for the page.
    private var start: Date {
        guard let days = request.query["days"].flatMap({ Int($0) }), (0...3_650).contains(days) else {
            return .distantPast
        }
        let today = Self.calendar.startOfDay(for: Date())
        return Self.calendar.date(byAdding: .day, value: -days, to: today) ?? today
    }

    private func item(_ entry: HistoryPart.Entry, _ labels: [NSManagedObjectID: String]) -> HTML {
        let transaction = entry.transaction
        let changes = entry.changes ?? []
        let items = changes.prefix(Self.changeCount).map { change($0, labels) }
        let more: HTML =
            changes.count > Self.changeCount
            ? "<li>and \(Amount.text(changes.count - Self.changeCount)) more</li>" : ""
        let isLong = changes.count > Self.openCount
        let list: HTML =
            isLong
            ? "<details><summary>\(summary(changes))</summary><ul>\(items)\(more)</ul></details>"
            : "<ul>\(items)</ul>"
        let count = Amount.text(entry.count, "change")
        let people = [transaction.author.map { "author \($0)" }, transaction.contextName.map { "context \($0)" }]
        // A program without a bundle has one name for both.
        let programs = [transaction.bundleID, transaction.processID].filter { !$0.isEmpty }
        let program = programs.first == programs.last ? programs.prefix(1) : programs[...]
        let origin = (people.compactMap { $0 } + program).joined(separator: " · ")
        return """
            <li><p><time datetime="\(DateText.text(of: transaction.timestamp))">\(time(transaction.timestamp))</time>
            <strong>\(count)</strong> <span class="type">transaction \
            \(transaction.transactionNumber) · \(origin)</span></p>\(list)</li>
            """
    }

    /// The time of day in whole seconds, UTC.
    private func time(_ date: Date) -> String {
        let seconds = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        return DateText.text(of: seconds).dropFirst(11).dropLast() + " UTC"
    }

    /// The numbers of changes of each kind: "416 Cocktail inserted".
    private func summary(_ changes: [NSPersistentHistoryChange]) -> String {
        let kinds = Dictionary(grouping: changes) { change in
            let verb =
                switch change.changeType {
                case .insert: "inserted"
                case .update: "updated"
                case .delete: "deleted"
                }
            return "\(change.changedObjectID.entity.name ?? "") \(verb)"
        }
        return kinds.sorted { $0.key < $1.key }.map { "\(Amount.text($0.value.count)) \($0.key)" }.joined(
            separator: ", ")
    }

    private func change(_ change: NSPersistentHistoryChange, _ labels: [NSManagedObjectID: String]) -> HTML {
        let id = change.changedObjectID
        let name = "\(id.entity.name ?? "") p\(id.key)"
        if change.changeType == .delete {
            // The values that the model has kept.
            let texts = ObjectLabel.names(of: id.entity).lazy.compactMap { change.tombstone?[$0] as? String }
            let label = texts.first { !$0.isEmpty }.map { ObjectLabel.cut($0, to: 60) }
            return "<li class=\"delete\">deleted \(named(label, name))</li>"
        }
        let object: HTML =
            if let label = labels[id] {
                named(label, name, link: BrowserRoute.object(.init(id)).path())
            } else {
                "\(name) <span class=\"type\">deleted since</span>"
            }
        guard change.changeType == .update else { return "<li class=\"insert\">inserted \(object)</li>" }
        let properties = (change.updatedProperties ?? []).map(\.name).sorted().joined(separator: ", ")
        return "<li class=\"update\">updated \(object): \(properties)</li>"
    }

    /// An object by its label, and by its entity and key.
    private func named(_ label: String?, _ name: String, link: String? = nil) -> HTML {
        let text: HTML = label == nil || label == name ? "\(name)" : "<bdi>\(label ?? "")</bdi>"
        let shown: HTML = link.map { "<a href=\"\($0)\">\(text)</a>" } ?? text
        return label == nil || label == name ? shown : "\(shown) <span class=\"type\">\(name)</span>"
    }
}
