// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The pages on a store: a function from requests to answers.
final class StoreBrowser: PageSource {
    let store: BrowserStore
    let security: WebSecurity

    init(store: BrowserStore, security: WebSecurity) {
        self.store = store
        self.security = security
    }

    func pace(of request: WebRequest) -> AnswerPace {
        BrowserRoute(request)?.pace(of: request) ?? .page
    }

    func response(to request: WebRequest) -> WebResponse {
        var response = security.answer(to: request, allowsEditing: store.isEditable) ?? answered(request)
        response.headers.merge(WebSecurity.headers(allowsEditing: store.isEditable)) { own, _ in own }
        return response
    }

    private func answered(_ request: WebRequest) -> WebResponse {
        do {
            return try route(request)
        } catch let fault as WebFault {
            return page(
                ErrorPage(status: fault.status, message: fault.message, title: fault.title, back: fault.back).page)
        } catch let error as NSError where error.code == NSCoreDataError && request.query["p"] != nil {
            // The store can't evaluate the predicate.
            return page(ErrorPage(status: 400, message: ErrorReport.text(for: error)).page)
        } catch {
            return page(ErrorPage(status: 500, message: ErrorReport.text(for: error)).page)
        }
    }

    private func route(_ request: WebRequest) throws -> WebResponse {
        switch BrowserRoute(request) {
        case .start: return page(try store.read { try StartPage(reader: $0, store: store).page })
        case .styleSheet: return WebResponse(type: "text/css; charset=utf-8", body: Data(PageStyle.text.utf8))
        case .script:
            return WebResponse(type: "text/javascript; charset=utf-8", body: Data(BrowserScript.text.utf8))
        case .icon: return WebResponse(status: 204, text: "")
        case .model:
            return page(
                try store.read { try ModelPage(reader: $0, store: store, isFitting: request.query.has("fit")).page })
        case .count(let entity):
            return WebResponse(
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
                        object: $0.object(name), reader: $0, store: store, formToken: security.formToken,
                        done: request.query["done"]
                    ).page
                })
        case .deletion(let name) where store.isEditable:
            return try deletion(
                of: ["\(name.entity)/\(name.key)"], .delete(name), cancel: .object(name))
        case .deletionOfSelection(let entity) where store.isEditable:
            return try deletion(
                of: request.query.values("id"), .deleteSelection(entity: entity), cancel: .table(entity: entity))
        case .creation(let entity) where store.isEditable:
            return page(
                try store.read {
                    try NewObjectPage(
                        entity: entity, query: request.query, reader: $0, formToken: security.formToken
                    ).page
                })
        case .find(let entity):
            return try store.read(request.control) {
                try FindAnswer(entity: entity, request: request, reader: $0).response
            }
        case .search:
            return page(
                try store.read(request.control) { try SearchPage(text: request.query["q"] ?? "", reader: $0).page })
        case .mark: return WebResponse(text: store.changeMark(withSync: request.query.has("sync")))
        case .value(let name, let key):
            return try store.read {
                try BinaryValue(object: $0.object(name), key: key).response(download: request.query.has("download"))
            }
        case .history:
            return page(try store.read { try HistoryPage(request: request, reader: $0, store: store).page })
        case .sync: return page(try store.read { try SyncPage(reader: $0, store: store).page })
        case .comparison:
            return page(
                try store.read(request.control) {
                    try ComparePage(with: request.query["with"], reader: $0, store: store).page
                })
        case .deletion, .deletionOfSelection, .creation, nil: throw WebFault.notFound
        case let route?:
            guard let response = try EditForms(browser: self, request: request).response(to: route) else {
                throw WebFault.notFound
            }
            return response
        }
    }

    private func table(of entity: String, _ request: WebRequest) throws -> WebResponse {
        try store.read(request.control) { reader in
            let templates = TemplateForms(reader: reader, entity: entity)
            if let path = try templates.redirect(for: request.query) { return .redirect(to: path) }
            let page = try TablePage(entity: entity, request: request, reader: reader, store: store).page
            return self.page(page)
        }
    }

    /// The question before a deletion.
    private func deletion(of ids: [String], _ route: BrowserRoute, cancel: BrowserRoute) throws -> WebResponse {
        guard !ids.isEmpty else { throw WebFault(422, "Nothing was chosen. Tick the objects that shall go.") }
        return page(
            try store.editor().preview(of: ids.map { store.current.objectID($0) }) {
                DeletePage(preview: $0, formToken: security.formToken, route: route, cancel: cancel).page
            })
    }

    func page(_ page: BrowserPage) -> WebResponse {
        let layout = PageLayout(page: page, store: store, formToken: security.formToken)
        return WebResponse(status: page.status, type: "text/html; charset=utf-8", body: Data(layout.html.text.utf8))
    }
}
