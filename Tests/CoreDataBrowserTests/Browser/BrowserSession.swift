import CoreData

@testable import CoreDataCommand

/// The pages on the sample store, without a socket.
final class BrowserSession {
    let folder: TemporaryFolder
    let path: String
    let browser: StoreBrowser

    init(path: String? = nil, model: String? = nil, isEditable: Bool = false) throws {
        folder = try TemporaryFolder()
        self.path = try path ?? SampleModel.makeStore(in: folder)
        let store = try BrowserStore(StoreLocation(self.path), modelPath: model, isEditable: isEditable)
        browser = StoreBrowser(store: store, security: WebSecurity(port: 8_000))
    }

    var headers: [String: String] {
        ["Host": "127.0.0.1:8000", "Cookie": "\(browser.security.cookieName)=\(browser.security.token)"]
    }

    func get(_ target: String) -> WebResponse {
        browser.response(to: WebRequest(target, headers: headers))
    }

    func text(_ target: String) throws -> String { String(decoding: try get(target).data(), as: UTF8.self) }

    func post(_ target: String, _ fields: [(String, String)]) -> WebResponse {
        let form = FormValues(fields + [("formToken", browser.security.formToken)])
        let headers = self.headers.merging(["Origin": "http://127.0.0.1:8000"]) { own, _ in own }
        return browser.response(
            to: WebRequest(target, method: "POST", headers: headers, body: form.encoded))
    }

    /// The first text between two others.
    static func text(in page: String, from start: String, to end: String) -> String? {
        guard let first = page.range(of: start),
            let last = page.range(of: end, range: first.upperBound..<page.endIndex)
        else { return nil }
        return String(page[first.upperBound..<last.lowerBound])
    }

    /// The page of the first object of a table.
    func object(_ entity: String, predicate: String) throws -> String {
        let table = try text("/e/\(entity)?p=\(PercentEncoding.encoded(predicate))")
        guard
            let path = table.components(separatedBy: "<th scope=\"row\">").dropFirst().first.flatMap({
                Self.text(in: $0, from: "<a href=\"", to: "\"")
            })
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        return path
    }

    /// The links to pages of the browser on a page.
    static func links(in page: String) -> [String] {
        page.components(separatedBy: "href=\"").dropFirst().compactMap { part in
            let link = part.prefix { $0 != "\"" }
            return link.hasPrefix("/") ? link.replacingOccurrences(of: "&amp;", with: "&") : nil
        }
    }
}
