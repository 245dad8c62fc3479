import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: security")
struct BrowserSecurityTests {
    @Test("The first URL sets a cookie of this port and leads to the first page")
    func firstURL() throws {
        let session = try BrowserSession()
        let target = "/?token=\(session.browser.security.token)"
        let response = session.browser.response(to: WebRequest(target, headers: ["Host": "127.0.0.1:8000"]))
        expectEqual(response.status, 303)
        expectEqual(response.headers["Location"], "/")
        let cookie = try requireValue(response.headers["Set-Cookie"])
        expectTrue(cookie.hasPrefix("coredata-8000="))
        expectContains(cookie, "HttpOnly")
        expectContains(cookie, "SameSite=Strict")
    }

    @Test("Requests without the cookie, with another token and for other hosts are refused")
    func refusals() throws {
        let session = try BrowserSession()
        func status(_ target: String, _ headers: [String: String]) -> Int {
            session.browser.response(to: WebRequest(target, headers: headers)).status
        }
        let cookie = try requireValue(session.headers["Cookie"])
        expectEqual(status("/", ["Host": "127.0.0.1:8000"]), 403)
        expectEqual(status("/?token=0", ["Host": "127.0.0.1:8000"]), 403)
        expectEqual(status("/", ["Host": "127.0.0.1:8000", "Cookie": "coredata-8000=0"]), 403)
        expectEqual(status("/", ["Host": "evil.example:8000", "Cookie": cookie]), 403)
        expectEqual(status("/", ["Host": "127.0.0.1:8001", "Cookie": cookie]), 403)
        expectEqual(status("/", ["Cookie": cookie]), 403)
        expectEqual(status("/", session.headers), 200)
    }

    @Test(
        "Paths that leave the pages are not found",
        arguments: [
            "/../etc/passwd", "/e/../x", "/e/%2e%2e/x", "/e/a%2fb", "/e/a%5cb", "//", "/e//x", "/nothing", "/o/Car/p0",
            "/o/Car/p99999999999999999999", "/o/Car/x", "/e/%ff", "/b/Car/p1/maker/x", "/o/Person/p1%00", "/undo",
            "/delete/Car/p1",
        ])
    func paths(path: String) throws {
        try expectEqual(BrowserSession().get(path).status, 404)
    }

    @Test("Other methods are not allowed", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
    func methods(method: String) throws {
        let session = try BrowserSession()
        let response = session.browser.response(to: WebRequest("/", method: method, headers: session.headers))
        expectEqual(response.status, 405)
        expectEqual(response.headers["Allow"], "GET, HEAD")
    }

    @Test("Every answer has the headers that confine a page")
    func headers() throws {
        let session = try BrowserSession()
        for response in [session.get("/"), session.get("/nothing"), session.browser.response(to: WebRequest("/"))] {
            expectEqual(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'"), true)
            expectEqual(response.headers["X-Content-Type-Options"], "nosniff")
            expectEqual(response.headers["Referrer-Policy"], "no-referrer")
            expectEqual(response.headers["Cache-Control"], "no-store")
        }
    }

    // Chromium sends "Origin: null" with the form of a page that has the policy "no-referrer".
    @Test("Pages with forms let a browser name their origin")
    func referrerOfForms() throws {
        try expectEqual(BrowserSession(isEditable: true).get("/").headers["Referrer-Policy"], "same-origin")
    }

    @Test("A form from elsewhere is refused")
    func forms() throws {
        let session = try BrowserSession(isEditable: true)
        func status(_ origin: String?, _ token: String) -> Int {
            var headers = session.headers
            headers["Origin"] = origin
            return session.browser.response(
                to: WebRequest("/undo", method: "POST", headers: headers, body: "formToken=\(token)")
            ).status
        }
        let token = session.browser.security.formToken
        expectEqual(status(nil, token), 403)
        expectEqual(status("http://evil.example", token), 403)
        expectEqual(status("null", token), 403)
        expectEqual(status("http://127.0.0.1:8000", "0"), 403)
        expectEqual(status("http://127.0.0.1:8000", token), 409)
    }
}
