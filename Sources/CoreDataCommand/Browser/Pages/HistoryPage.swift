import OpenCoreData

/// `/history`: the transactions as a timeline, the newest first.
struct HistoryPage {
    let request: BrowserRequest
    let reader: StoreReader
    let store: BrowserStore

    private static let transactionCount = 50
    private static let changeCount = 100
    /// Longer lists are closed until they are asked for.
    private static let openCount = 12

    var page: BrowserPage {
        get throws {
            let transactions: [NSPersistentHistoryTransaction]
            do {
                transactions = try fetched()
            } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
                return page(
                    """
                    <p class="empty">The store has no history: the program that writes it doesn't set
                    <code>NSPersistentHistoryTrackingKey</code>. What has changed can't be told.</p>
                    """)
            }
            guard !transactions.isEmpty else {
                return page(filters + "<p class=\"empty\">No transaction in this time.</p>")
            }
            let shown = transactions.prefix(Self.transactionCount)
            let days = Dictionary(grouping: shown) { String(CellValue.text(of: $0.timestamp).prefix(10)) }
            let sections = try days.sorted { $0.key > $1.key }.map { day, transactions -> HTML in
                let items = try transactions.map(item)
                return "<section><h2>\(day)</h2><ol class=\"timeline\">\(items)</ol></section>"
            }
            let older: HTML =
                transactions.count > shown.count && shown.last != nil
                ? """
                <nav class="pager" aria-label="Parts of the history"><a class="button"
                href="\(path(before: shown.last?.transactionNumber ?? 0))">Older →</a></nav>
                """ : ""
            return page(filters + "\(sections)\(older)")
        }
    }

    private func page(_ body: HTML) -> BrowserPage {
        BrowserPage(title: "History", section: "/history", body: "<h1>History</h1>" + body)
    }

    private func path(before number: Int64) -> String {
        BrowserURL.path("history", query: request.query.with("before", String(number)))
    }

    private var filters: HTML {
        let links = [(nil, "All"), ("0", "Today"), ("1", "Since yesterday"), ("7", "Last 7 days")].map {
            days, title -> HTML in
            let query = FormValues(days.map { [("days", $0)] } ?? [])
            let isCurrent = request.query["days"] == days
            return """
                <a class="button" href="\(BrowserURL.path("history", query: query))"\
                \(isCurrent ? " aria-current=\"true\"" as HTML : "")>\(title)</a>
                """
        }
        return "<nav class=\"pager\" aria-label=\"Time\">\(links)</nav>"
    }

    private func fetched() throws -> [NSPersistentHistoryTransaction] {
        let history: NSPersistentHistoryChangeRequest
        if let days = request.query["days"].flatMap({ Int($0) }), (0...3_650).contains(days) {
            let today = Calendar.current.startOfDay(for: Date())
            history = .fetchHistory(after: Calendar.current.date(byAdding: .day, value: -days, to: today) ?? today)
        } else {
            history = .fetchHistory(after: Date.distantPast)
        }
        history.resultType = .transactionsOnly
        let result = try reader.context.execute(history) as? NSPersistentHistoryResult
        let all = result?.result as? [NSPersistentHistoryTransaction] ?? []
        let limit = request.query["before"].flatMap { Int64($0) } ?? .max
        let sorted = all.filter { $0.transactionNumber < limit }.sorted { $0.transactionNumber > $1.transactionNumber }
        return Array(sorted.prefix(Self.transactionCount + 1))
    }

    private func changes(of transaction: NSPersistentHistoryTransaction) throws -> [NSPersistentHistoryChange] {
        guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
        fetch.predicate = NSPredicate(
            format: "transactionNumber == %@", argumentArray: [NSNumber(value: transaction.transactionNumber)])
        let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        history.resultType = .transactionsAndChanges
        let result = try reader.context.execute(history) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction])?.first?.changes ?? []
    }

    private func item(_ transaction: NSPersistentHistoryTransaction) throws -> HTML {
        let changes = try changes(of: transaction)
        let items = changes.prefix(Self.changeCount).map(change)
        let more: HTML = changes.count > Self.changeCount ? "<li>and \(changes.count - Self.changeCount) more</li>" : ""
        let isLong = changes.count > Self.openCount
        let list: HTML =
            isLong
            ? "<details><summary>\(summary(changes))</summary><ul>\(items)\(more)</ul></details>"
            : "<ul>\(items)</ul>"
        let people = [transaction.author.map { "author \($0)" }, transaction.contextName.map { "context \($0)" }]
        let origin = (people + [transaction.bundleID, transaction.processID].map { $0.isEmpty ? nil : $0 })
            .compactMap { $0 }.joined(separator: " · ")
        return """
            <li><p><time datetime="\(CellValue.text(of: transaction.timestamp))">\(time(transaction.timestamp))</time>
            <strong>\(Wording.count(changes.count, "change"))</strong> <span class="type">transaction \
            \(transaction.transactionNumber) · \(origin)</span></p>\(list)</li>
            """
    }

    /// The time of day in whole seconds, UTC.
    private func time(_ date: Date) -> String {
        let seconds = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        return CellValue.text(of: seconds).dropFirst(11).dropLast() + " UTC"
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
        return kinds.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
    }

    private func change(_ change: NSPersistentHistoryChange) -> HTML {
        let id = change.changedObjectID
        let name = "\(id.entity.name ?? "") p\(id.key)"
        switch change.changeType {
        case .insert: return "<li class=\"insert\">inserted <a href=\"\(BrowserURL.object(id))\">\(name)</a></li>"
        case .update:
            let properties = (change.updatedProperties ?? []).map(\.name).sorted().joined(separator: ", ")
            return """
                <li class="update">updated <a href="\(BrowserURL.object(id))">\(name)</a>
                <span class="type">\(properties)</span></li>
                """
        case .delete: return "<li class=\"delete\">deleted \(name)</li>"
        }
    }
}
