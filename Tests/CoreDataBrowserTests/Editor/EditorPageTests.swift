import CoreData
import CoreDataModelEditing
import Testing

@testable import CoreDataCommand

@Suite("coredata model edit: pages and security")
struct EditorPageTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\" onload=\"x", "a/b:c%d", "x'y", "Ünïcødé 🎵", "\u{202e}back", "a&b;",
    ]

    @Test("Every tab and every kind of element has a page")
    func pages() throws {
        let session = try EditorTestSession(
            [
                "Full.xcdatamodel/contents": FullModel.xml
            ], open: "Full.xcdatamodel")
        for tab in EditorView.Tab.allCases {
            let response = session.get("/?tab=\(tab.rawValue)")
            #expect(response.status == 200, "\(tab)")
        }
        for at in FullModel.paths {
            let page = try session.text("/?at=\(PercentEncoding.encoded(at))")
            #expect(page.contains("<aside"), "\(at)")
            #expect(page.contains("id=\"field-name\"") || at.isEmpty, "\(at)")
            #expect(!page.contains("<script>"), "\(at)")
        }
    }

    @Test("Names with markup, quotes and directions are escaped on all tabs, and can be renamed")
    func hostileNames() throws {
        let session = try EditorTestSession()
        for (index, name) in Self.hostile.enumerated() {
            let json = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
            let added = try session.edit(#"{"kind": "add", "path": "", "element": "entity", "name": \#(json)}"#)
            #expect(added.status == 200, "\(name): \(added.error ?? "")")
            let path = ModelPath.entity(name).text
            let at = String(decoding: try JSONEncoder().encode(path), as: UTF8.self)
            #expect(
                try session.edit(#"{"kind": "add", "path": \#(at), "element": "attribute", "name": \#(json)}"#).status
                    == 200)
            for tab in EditorView.Tab.allCases {
                let page = try session.text("/?tab=\(tab.rawValue)&at=\(PercentEncoding.encoded(path))")
                #expect(!page.contains("<script>alert"))
                #expect(!page.contains("\" onload=\"x"))
                #expect(!page.contains("\u{202e}"))
            }
            #expect(try session.edit(#"{"kind": "rename", "path": \#(at), "name": "Plain\#(index)"}"#).status == 200)
        }
        #expect(try session.edit(#"{"kind": "save"}"#).status == 200)
    }

    @Test("Problems of the model stand at their field, in the lists and on their tab")
    func problems() throws {
        let session = try EditorTestSession()
        try session.edit(
            #"{"kind": "set", "path": "entity:Song/relationship:album", "attribute": "inverseName", "value": ""}"#)
        let page = try session.text("/?at=entity%3ASong%2Frelationship%3Aalbum")
        #expect(page.contains(#"id="field-inverseName-message" role="alert">Song.album should have an inverse"#))
        #expect(try session.text("/?tab=problems").contains("Song.album should have an inverse"))
        try session.edit(#"{"kind": "remove", "path": "entity:Album"}"#)
        let problems = try session.text("/?tab=problems")
        #expect(problems.contains("Song.album needs a destination"))
        #expect(try session.text("/?tab=text").contains("The model has errors"))
    }

    @Test("Names in problems have the quotation marks of pages")
    func quotationMarks() throws {
        let session = try EditorTestSession()
        try session.edit(
            #"{"kind": "set", "path": "entity:Song/attribute:title", "attribute": "elementID", "value": "length"}"#)
        let problems = try session.text("/?tab=problems")
        #expect(problems.contains("and ‘length’ have the same renaming identifier ‘length’."), "\(problems)")
    }

    @Test("Requests without the cookie, for other hosts and from other pages are refused on every route")
    func security() throws {
        let session = try EditorTestSession()
        for route in ["/", "/view", "/state", "/style.css", "/script.js", "/model.svg"] {
            func status(_ headers: [String: String]) -> Int {
                session.editor.response(to: WebRequest(route, headers: headers)).status
            }
            #expect(status(session.headers) == 200, "\(route)")
            #expect(status(["Host": "127.0.0.1:8000"]) == 403)
            var other = session.headers
            other["Host"] = "evil.example:8000"
            #expect(status(other) == 403)
        }
        let body = #"{"revision": 1, "view": "", "command": {"kind": "save"}}"#
        func status(_ change: (inout [String: String]) -> Void) -> Int {
            var headers = session.editHeaders
            change(&headers)
            return session.editor.response(
                to: WebRequest("/edit", method: "POST", headers: headers, body: body)
            ).status
        }
        #expect(status { _ in } == 200)
        #expect(status { $0["Origin"] = nil } == 403)
        #expect(status { $0["Origin"] = "http://evil.example" } == 403)
        #expect(status { $0["X-Form-Token"] = nil } == 403)
        #expect(status { $0["X-Form-Token"] = "0" } == 403)
        #expect(status { $0["Cookie"] = nil } == 403)
        #expect(status { $0["Host"] = "evil.example:8000" } == 403)
        #expect(status { $0["Content-Type"] = "text/plain" } == 415)
        #expect(session.get("/edit").status == 404)
    }

    @Test("Every answer has the headers that confine a page, and no page an inline script or style")
    func headers() throws {
        let session = try EditorTestSession()
        for response in [session.get("/"), session.get("/nothing"), session.get("/?tab=diagram"), session.get("/view")]
        {
            #expect(response.headers["Content-Security-Policy"]?.contains("script-src 'self'") == true)
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        }
        for tab in EditorView.Tab.allCases {
            let page = try session.text("/?tab=\(tab.rawValue)")
            #expect(page.firstMatch(of: /<[^>]* (style|on[a-z]+)="/) == nil)
        }
    }

    @Test(
        "Addresses of elements that aren't there show what contains them",
        arguments: [
            "entity%3ANone", "entity%3ASong%2Fattribute%3Anone", "x", "%2F%2F", "entity%3ASong%2FfetchIndexElement%409",
        ])
    func missing(at: String) throws {
        #expect(try EditorTestSession().get("/?at=\(at)&version=None&with=None&tab=bad").status == 200)
    }

    @Test("A model of 300 entities: an edit sends what changed, not everything")
    func large() throws {
        let session = try EditorTestSession(
            ["Big.xcdatamodel/contents": FullModel.large(entities: 300)], open: "Big.xcdatamodel")
        let first = try session.edit(
            #"{"kind": "set", "path": "entity:E7", "attribute": "isAbstract", "value": "YES"}"#)
        let marks = first.parts.mapValues(\.mark)
        let have = String(decoding: try JSONEncoder().encode(marks), as: UTF8.self)
        let revision = try #require(first.revision)
        let body = """
            {"revision": \(revision), "view": "at=entity%3AE7", "have": \(have), "command": \
            {"kind": "set", "path": "entity:E7/attribute:a", "attribute": "elementID", "value": "b"}}
            """
        let response = session.editor.response(
            to: WebRequest("/edit", method: "POST", headers: session.editHeaders, body: body))
        let answer = try JSONDecoder().decode(EditorTestSession.Answer.self, from: response.data())
        #expect(answer.parts["sidebar"] == nil)
        #expect(answer.parts["inspector"] != nil)
        #expect(session.get("/?tab=diagram").status == 200)
    }
}
