// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The right to see the pages: a request comes from this machine and has the secret of the first URL, and a
/// form comes from one of them.
struct WebSecurity: Sendable {
    /// The port of the server, which other servers of this machine don't have: cookies don't tell ports apart.
    let port: Int
    /// The secret of the first URL and of the cookie.
    let token = Self.random()
    /// The secret of forms.
    let formToken = Self.random()

    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    var cookieName: String { "coredata-\(port)" }
    var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }
    var firstURL: String { "http://127.0.0.1:\(port)/?token=\(token)" }

    /// The refusal of a request, or the redirect of the first one; nil for a request that may pass.
    func answer(to request: WebRequest, allowsEditing: Bool) -> WebResponse? {
        func refusal(_ status: Int, _ text: String) -> WebResponse { WebResponse(status: status, text: text) }
        guard let host = request.headers["host"], hosts.contains(host.lowercased()) else {
            return refusal(403, "Requests for another host are refused. Use the URL that the command has printed.")
        }
        guard ["GET", "HEAD"].contains(request.method) || request.method == "POST" && allowsEditing else {
            let methods = allowsEditing ? "GET, HEAD, POST" : "GET, HEAD"
            return WebResponse(
                status: 405, text: "The method \(request.method.prefix(20)) is not allowed.",
                headers: ["Allow": methods])
        }
        if request.method != "POST", request.path == "/", let given = request.query["token"] {
            guard Self.isEqual(given, token) else { return refusal(403, "This address is of another run.") }
            return .redirect(
                to: "/", headers: ["Set-Cookie": "\(cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/"])
        }
        guard Self.isEqual(cookie(in: request) ?? "", token) else {
            return refusal(403, "Open the URL that the command has printed.")
        }
        if request.method == "POST" {
            guard let origin = request.headers["origin"], hosts.contains(where: { origin == "http://\($0)" }),
                Self.isEqual(request.form["formToken"] ?? request.headers["x-form-token"] ?? "", formToken)
            else { return refusal(403, "The form is not one of this browser. Load the page again.") }
        }
        return nil
    }

    private func cookie(in request: WebRequest) -> String? {
        for part in (request.headers["cookie"] ?? "").split(separator: ";") {
            let sides = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            if sides.count == 2, sides[0] == cookieName { return String(sides[1]) }
        }
        return nil
    }

    /// Compares in the same time wherever the texts differ.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The headers of every answer. With `no-referrer` a browser sends `Origin: null` with a form, which is refused.
    static func headers(allowsEditing: Bool) -> [String: String] {
        [
            "Content-Security-Policy": """
            default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'
            """,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": allowsEditing ? "same-origin" : "no-referrer",
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
    }
}
