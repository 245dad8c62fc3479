import CoreDataModel
import OpenCoreData

/// The pages on a store: a function from requests to answers.
final class StoreBrowser: Sendable {
    let store: BrowserStore
    let security: BrowserSecurity

    init(store: BrowserStore, security: BrowserSecurity) {
        self.store = store
        self.security = security
    }

    /// How long an answer may take. No answer waits for slower ones.
    enum Pace {
        case page
        /// A predicate, or an order without an index, may read all objects.
        case search
        /// Reads all objects.
        case count
    }

    static func pace(of request: BrowserRequest) -> Pace {
        if ["/count/", "/export/", "/compare"].contains(where: request.path.hasPrefix) { return .count }
        if request.path == "/history" && request.query["anyway"] != nil { return .count }
        return request.path.hasPrefix("/e/") && (request.query["p"] != nil || request.query["sort"] != nil)
            ? .search : .page
    }

    func response(to request: BrowserRequest) -> BrowserResponse {
        var response = security.answer(to: request, allowsEditing: store.isEditable) ?? answered(request)
        response.headers.merge(BrowserSecurity.headers(allowsEditing: store.isEditable)) { own, _ in own }
        return response
    }

    private func answered(_ request: BrowserRequest) -> BrowserResponse {
        do {
            return try route(request)
        } catch let fault as BrowserFault {
            return page(ErrorPage(status: fault.status, message: fault.message).page, status: fault.status)
        } catch let error as NSError where error.code == NSCoreDataError && request.query["p"] != nil {
            // The store can't evaluate the predicate.
            return page(ErrorPage(status: 400, message: ErrorReport.text(for: error)).page, status: 400)
        } catch {
            return page(ErrorPage(status: 500, message: ErrorReport.text(for: error)).page, status: 500)
        }
    }

    private func route(_ request: BrowserRequest) throws -> BrowserResponse {
        guard let segments = request.segments else { throw BrowserFault.notFound }
        if request.method == "POST" { return try EditRoutes(store: store, request: request).response(segments) }
        switch segments.first {
        case nil: return page(try store.read { try StartPage(reader: $0, store: store).page })
        case "style.css" where segments.count == 1:
            return BrowserResponse(type: "text/css; charset=utf-8", body: Data(BrowserStyle.text.utf8))
        case "script.js" where segments.count == 1:
            return BrowserResponse(type: "text/javascript; charset=utf-8", body: Data(BrowserScript.text.utf8))
        case "favicon.ico" where segments.count == 1: return BrowserResponse(status: 404, text: "")
        case "model" where segments.count == 1:
            return page(
                try store.read { try ModelPage(reader: $0, store: store, isFitting: request.query.has("fit")).page })
        case "count" where segments.count == 2:
            return BrowserResponse(
                text: try store.read(request.control) {
                    String(try TableQuery(segments[1], request.query, reader: $0).count())
                })
        case "check" where segments.count == 2:
            return try store.read { try PredicateCheck(entity: segments[1], request: request, reader: $0).response }
        case "export" where segments.count == 3:
            return try TableExport(entity: segments[1], format: segments[2], query: request.query, store: store)
                .response
        case "e" where segments.count == 2:
            return try store.read(request.control) { reader in
                let templates = TemplateForms(reader: reader, entity: segments[1])
                if let path = try templates.redirect(for: request.query) { return .redirect(to: path) }
                let page = try TablePage(entity: segments[1], request: request, reader: reader, store: store).page
                return self.page(page, status: page.status)
            }
        case "o" where segments.count == 3:
            return page(
                try store.read {
                    try ObjectPage(
                        object: $0.object(segments[1], segments[2]), reader: $0, store: store,
                        formToken: security.formToken
                    ).page
                })
        case "delete" where segments.count == 3 && store.isEditable:
            return page(
                try store.editor().preview(of: store.current.objectID("\(segments[1])/\(segments[2])")) {
                    DeletePage(preview: $0, formToken: security.formToken).page
                })
        case "b" where segments.count == 4:
            return try store.read {
                try BinaryValue(object: $0.object(segments[1], segments[2]), key: segments[3]).response(
                    download: request.query.has("download"))
            }
        case "history" where segments.count == 1:
            return page(try store.read { try HistoryPage(request: request, reader: $0, store: store).page })
        case "compare" where segments.count == 1:
            return page(
                try store.read(request.control) {
                    try ComparePage(with: request.query["with"], reader: $0, store: store).page
                })
        default: throw BrowserFault.notFound
        }
    }

    private func page(_ page: BrowserPage, status: Int = 200) -> BrowserResponse {
        let layout = PageLayout(page: page, store: store, formToken: security.formToken)
        return BrowserResponse(status: status, type: "text/html; charset=utf-8", body: Data(layout.html.text.utf8))
    }
}
