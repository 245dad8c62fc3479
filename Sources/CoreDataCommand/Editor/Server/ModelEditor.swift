// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The pages of the model editor: a function from requests to answers.
final class ModelEditor: PageSource {
    let session: EditorSession
    let security: WebSecurity

    init(session: EditorSession, security: WebSecurity) {
        self.session = session
        self.security = security
    }

    /// A comparison and a trial may take long; nothing waits for them.
    func pace(of request: WebRequest) -> AnswerPace {
        let view = EditorView(request.query)
        if view.tab == .versions, request.method == "GET" { return .count }
        return request.query.has("checked") ? .search : .page
    }

    func response(to request: WebRequest) -> WebResponse {
        var response = security.answer(to: request, allowsEditing: true) ?? answered(request)
        response.headers.merge(WebSecurity.headers(allowsEditing: true)) { own, _ in own }
        return response
    }

    private func answered(_ request: WebRequest) -> WebResponse {
        do {
            return try route(request)
        } catch {
            let status = (error as? WebFault)?.status ?? 500
            let message = Self.message(of: error)
            if request.method == "POST" || request.path != "/" {
                return json(EditorAnswer(error: message), status: status)
            }
            return page(EditorPage.error(message, status: status), status: status)
        }
    }

    static func message(of error: any Error) -> String {
        if let fault = error as? WebFault { return fault.message }
        if let refusal = error as? ModelEditError { return refusal.message }
        return ErrorReport.text(for: error)
    }

    private func route(_ request: WebRequest) throws -> WebResponse {
        switch (request.method, request.segments ?? [""]) {
        case ("GET", []):
            let view = EditorView(request.query)
            let parts = try makeParts(view, isChecked: true)
            return page(EditorPage(parts: parts, formToken: security.formToken).html)
        case ("GET", ["style.css"]):
            return WebResponse(
                type: "text/css; charset=utf-8", body: Data((PageStyle.text + EditorStyle.text).utf8))
        case ("GET", ["script.js"]):
            return WebResponse(type: "text/javascript; charset=utf-8", body: Data(EditorScript.all.utf8))
        case ("GET", ["favicon.ico"]): return WebResponse(status: 204, text: "")
        case ("GET", ["view"]):
            let marks = request.query["have"].map { FormValues(encoded: $0) } ?? FormValues()
            let have = Dictionary(marks.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            let view = EditorView(request.query)
            let isChecked = request.query.has("checked") || [.text, .problems, .diagram].contains(view.tab)
            return json(EditorAnswer(try makeParts(view, isChecked: isChecked), having: have))
        case ("GET", ["state"]):
            let (revision, isChanged, outside) = session.poll()
            return json(EditorState(revision: revision, isChanged: isChanged, outside: outside))
        case ("GET", ["model.svg"]):
            let snapshot = try session.snapshot(of: EditorView(request.query).version, isChecked: true)
            guard let model = snapshot.model.model else { throw WebFault(422, "The model has errors.") }
            return WebResponse(
                type: "image/svg+xml",
                body: Data(DiagramSVG.text(of: DiagramBuilder.diagram(of: model), title: snapshot.files.name).utf8),
                headers: ["Content-Disposition": "attachment; filename=\"model.svg\""])
        case ("POST", ["edit"]): return try edit(request)
        default: throw WebFault.notFound
        }
    }

    // MARK: Edits

    /// The body of a request to change something.
    private struct EditRequest: Decodable {
        let revision: Int
        let view: String
        /// The marks of the parts that the page has.
        var have: [String: String]?
        let command: EditorCommand
    }

    private func edit(_ request: WebRequest) throws -> WebResponse {
        guard request.headers["content-type"]?.hasPrefix("application/json") == true else {
            throw WebFault(415, "An edit is JSON.")
        }
        let given: EditRequest
        do {
            given = try JSONDecoder().decode(EditRequest.self, from: Data(request.body.utf8))
        } catch {
            throw WebFault(400, "The edit can't be read: it isn't the JSON of a command.")
        }
        var view = EditorView(FormValues(encoded: given.view))
        // The trial belongs to the model before the edit. A new trial would copy the store again for each edit.
        view.isTrial = false
        do {
            let outcome = try session.perform(given.command, seen: given.revision, version: view.version)
            if let selection = outcome.selection, given.command.kind != .place { view.at = selection }
            return json(
                EditorAnswer(
                    try makeParts(view, isChecked: false), having: given.have ?? [:], note: outcome.note,
                    only: given.command.kind == .place ? ["bar"] : nil))
        } catch {
            let refusal = error as? ModelEditError
            let message = Self.message(of: error)
            let status = (error as? WebFault)?.status ?? (refusal == nil ? 500 : 422)
            var answer = EditorAnswer(error: message)
            if status == 409, let now = try? makeParts(view, isChecked: false) {
                // After a conflict the page shows the present state.
                answer = EditorAnswer(now, having: given.have ?? [:])
                answer.error = message
            }
            answer.field = refusal?.attribute
            return json(answer, status: status)
        }
    }

    private func makeParts(_ view: EditorView, isChecked: Bool) throws -> EditorParts {
        // A comparison has no earlier state to show.
        let isNeeded = isChecked || view.tab == .versions
        return EditorParts(
            try session.snapshot(of: view.version, isChecked: isNeeded), view: view, session: session)
    }

    private func json(_ value: some Encodable, status: Int = 200) -> WebResponse {
        // The values are texts and numbers, which JSON always represents.
        let data = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
        return WebResponse(status: status, type: "application/json; charset=utf-8", body: data)
    }

    private func page(_ html: HTML, status: Int = 200) -> WebResponse {
        WebResponse(status: status, type: "text/html; charset=utf-8", body: Data(html.text.utf8))
    }
}
