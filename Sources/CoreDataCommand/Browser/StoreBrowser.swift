import CoreDataModel
import OpenCoreData

/// The pages on a store: a function from requests to answers.
final class StoreBrowser: PageSource {
    let store: BrowserStore
    let security: BrowserSecurity

    init(store: BrowserStore, security: BrowserSecurity) {
        self.store = store
        self.security = security
    }

    func pace(of request: BrowserRequest) -> BrowserRoute.Pace {
        BrowserRoute(request)?.pace(of: request) ?? .page
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
        switch BrowserRoute(request) {
        case .start: return page(try store.read { try StartPage(reader: $0, store: store).page })
        case .styleSheet: return BrowserResponse(type: "text/css; charset=utf-8", body: Data(BrowserStyle.text.utf8))
        case .script:
            return BrowserResponse(type: "text/javascript; charset=utf-8", body: Data(BrowserScript.text.utf8))
        case .icon: return BrowserResponse(status: 404, text: "")
        case .model:
            return page(
                try store.read { try ModelPage(reader: $0, store: store, isFitting: request.query.has("fit")).page })
        case .count(let entity):
            return BrowserResponse(
                text: try store.read(request.control) {
                    String(try TableQuery(entity, request.query, reader: $0).count())
                })
        case .predicateCheck(let entity):
            return try store.read { try PredicateBoxAnswer(entity: entity, request: request, reader: $0).response }
        case .export(let entity, let format):
            return try TableExport(entity: entity, format: format, query: request.query, store: store).response
        case .table(let entity): return try table(of: entity, request)
        case .object(let name):
            return page(
                try store.read {
                    try ObjectPage(
                        object: $0.object(name), reader: $0, store: store, formToken: security.formToken
                    ).page
                })
        case .deletion(let name) where store.isEditable:
            return page(
                try store.editor().preview(of: store.current.objectID("\(name.entity)/\(name.key)")) {
                    DeletePage(preview: $0, formToken: security.formToken).page
                })
        case .value(let name, let key):
            return try store.read {
                try BinaryValue(object: $0.object(name), key: key).response(download: request.query.has("download"))
            }
        case .history:
            return page(try store.read { try HistoryPage(request: request, reader: $0, store: store).page })
        case .comparison:
            return page(
                try store.read(request.control) {
                    try ComparePage(with: request.query["with"], reader: $0, store: store).page
                })
        case .change(let name): return try EditForms(store: store, request: request).change(name)
        case .delete(let name): return try EditForms(store: store, request: request).delete(name)
        case .undo: return try EditForms(store: store, request: request).undo()
        case .deletion, nil: throw BrowserFault.notFound
        }
    }

    private func table(of entity: String, _ request: BrowserRequest) throws -> BrowserResponse {
        try store.read(request.control) { reader in
            let templates = TemplateForms(reader: reader, entity: entity)
            if let path = try templates.redirect(for: request.query) { return .redirect(to: path) }
            let page = try TablePage(entity: entity, request: request, reader: reader, store: store).page
            return self.page(page, status: page.status)
        }
    }

    private func page(_ page: BrowserPage, status: Int = 200) -> BrowserResponse {
        let layout = PageLayout(page: page, store: store, formToken: security.formToken)
        return BrowserResponse(status: status, type: "text/html; charset=utf-8", body: Data(layout.html.text.utf8))
    }
}
