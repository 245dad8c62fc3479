// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The answer to a request for a page, without a socket.
struct WebResponse: Sendable {
    enum Body: Sendable {
        case data(Data)
        /// Parts that are made while they are sent; nil ends them.
        case parts(@Sendable () throws -> Data?)
    }

    var status: Int
    var headers: [String: String]
    var body: Body

    init(status: Int = 200, type: String, body: Data, headers: [String: String] = [:]) {
        self.status = status
        self.headers = headers.merging(["Content-Type": type]) { own, _ in own }
        self.body = .data(body)
    }

    init(status: Int = 200, text: String, headers: [String: String] = [:]) {
        self.init(status: status, type: "text/plain; charset=utf-8", body: Data(text.utf8), headers: headers)
    }

    init(attachment name: String, type: String, parts: @escaping @Sendable () throws -> Data?) {
        status = 200
        headers = ["Content-Type": type, "Content-Disposition": "attachment; filename=\"\(Self.fileName(name))\""]
        body = .parts(parts)
    }

    static func redirect(to path: String, headers: [String: String] = [:]) -> WebResponse {
        WebResponse(status: 303, text: "", headers: headers.merging(["Location": path]) { own, _ in own })
    }

    /// A name that is safe in a header and in a folder.
    static func fileName(_ name: String) -> String {
        let safe = name.unicodeScalars.map { scalar -> Character in
            let isSafe =
                scalar.isASCII && (CharacterSet.alphanumerics.contains(scalar) || "-_.".unicodeScalars.contains(scalar))
            return isSafe ? Character(scalar) : "_"
        }
        return String(safe.prefix(100))
    }

    /// All of the body.
    func data() throws -> Data {
        switch body {
        case .data(let data): return data
        case .parts(let next):
            var result = Data()
            while let part = try next() { result.append(part) }
            return result
        }
    }
}

/// An answer other than the page that was asked for. The message is a sentence with the remedy.
struct WebFault: Error {
    let status: Int
    let message: String
    /// The heading of the page; nil for the heading of the status.
    let title: String?
    /// The path of the page that a link leads back to; nil for the first page.
    let back: String?

    init(_ status: Int, _ message: String, title: String? = nil, back: String? = nil) {
        self.status = status
        self.message = message
        self.title = title
        self.back = back
    }

    static let notFound = WebFault(404, "There is no such page.")
}
