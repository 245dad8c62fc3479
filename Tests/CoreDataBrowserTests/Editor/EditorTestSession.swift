import CoreData

@testable import CoreDataCommand
@testable import CoreDataModel

/// The pages of the editor on a model in a temporary folder, without a socket.
final class EditorTestSession {
    let folder: TemporaryFolder
    let path: String
    let editor: ModelEditor

    /// - Parameters:
    ///   - files: the files of the model, by their paths in the folder.
    ///   - name: the model to open.
    init(
        _ files: [String: String] = ["Music.xcdatamodeld/Music.xcdatamodel/contents": MusicSourceModel.contents],
        open name: String = "Music.xcdatamodeld", store: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        path = folder.path(name)
        editor = ModelEditor(
            session: try EditorSession(EditorFiles(path), store: store.map { StoreLocation($0) }),
            security: WebSecurity(port: 8_000))
    }

    var headers: [String: String] {
        ["Host": "127.0.0.1:8000", "Cookie": "\(editor.security.cookieName)=\(editor.security.token)"]
    }

    var editHeaders: [String: String] {
        headers.merging([
            "Origin": "http://127.0.0.1:8000", "Content-Type": "application/json",
            "X-Form-Token": editor.security.formToken,
        ]) { own, _ in own }
    }

    func get(_ target: String) -> WebResponse { editor.response(to: WebRequest(target, headers: headers)) }

    func text(_ target: String) throws -> String { String(decoding: try get(target).data(), as: UTF8.self) }

    /// The answer to an edit.
    struct Answer: Decodable {
        struct Part: Decodable {
            let mark: String
            let html: String
        }

        var status: Int?
        let error: String?
        let field: String?
        let note: String?
        let revision: Int?
        let path: String?
        let parts: [String: Part]
    }

    /// Sends a command.
    ///
    /// - Parameters:
    ///   - command: the command as JSON.
    ///   - revision: the revision that the page shows; nil for the present revision.
    ///   - view: the query of the page.
    @discardableResult
    func edit(_ command: String, revision: Int? = nil, view: String = "") throws -> Answer {
        let seen = revision ?? editor.session.poll().revision
        let body = #"{"revision": \#(seen), "view": "\#(view)", "command": \#(command)}"#
        let response = editor.response(
            to: WebRequest("/edit", method: "POST", headers: editHeaders, body: body))
        var answer = try JSONDecoder().decode(Answer.self, from: response.data())
        answer.status = response.status
        return answer
    }

    var file: URL { folder.file("Music.xcdatamodeld/Music.xcdatamodel/contents") }
    var contents: String { get throws { try String(contentsOf: file, encoding: .utf8) } }
}
