// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A request for a page, without a socket.
struct WebRequest: Sendable {
    let method: String
    /// The path as it was sent, percent-encoded.
    let path: String
    /// The names and values of the query, in their order.
    let query: FormValues
    /// The headers by their names in lower case.
    let headers: [String: String]
    /// The fields of a form that was sent. They are decoded when they are asked for: a request that may not pass costs
    /// nothing.
    var form: FormValues {
        decodedForm.withLock { form in
            if let form { return form }
            let isForm = headers["content-type"].map { !$0.hasPrefix("application/json") } ?? true
            let decoded = isForm ? FormValues(encoded: body) : FormValues()
            form = decoded
            return decoded
        }
    }
    private let decodedForm = Locked<FormValues?>(nil)
    /// The body as text.
    let body: String
    /// Cancels the requests to the store that this request has started.
    let control = FetchControl()

    init(_ target: String, method: String = "GET", headers: [String: String] = [:], body: String = "") {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts.first ?? "/")
        query = FormValues(encoded: parts.count > 1 ? String(parts[1]) : "")
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }

    /// The decoded parts of the path; nil for a path that no page has: `..`, empty parts, broken encoding. An
    /// encoded slash belongs to a name.
    var segments: [String]? {
        guard path.hasPrefix("/") else { return nil }
        if path == "/" { return [] }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = String(part).removingPercentEncoding, !text.isEmpty, text != ".", text != "..",
                !text.unicodeScalars.contains("\0")
            else { return nil }
            segments.append(text)
        }
        return segments
    }
}

/// The names and values of a query or a form.
struct FormValues: Sendable {
    private(set) var pairs: [(name: String, value: String)]

    init(_ pairs: [(String, String)] = []) { self.pairs = pairs.map { (name: $0.0, value: $0.1) } }

    /// Decodes `a=b&c=d`, in which `+` is a space.
    init(encoded text: String) {
        func decoded(_ part: Substring) -> String {
            let spaced = part.replacingOccurrences(of: "+", with: " ")
            return spaced.removingPercentEncoding ?? spaced
        }
        pairs = text.split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: decoded(sides[0]), value: sides.count > 1 ? decoded(sides[1]) : "")
        }
    }

    /// The first value of a name that isn't empty.
    subscript(name: String) -> String? { pairs.first { $0.name == name && !$0.value.isEmpty }?.value }

    func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The same values, with another value for a name; nil removes the name.
    func with(_ name: String, _ value: String?) -> FormValues {
        var result = self
        result.pairs.removeAll { $0.name == name }
        if let value { result.pairs.append((name: name, value: value)) }
        return result
    }

    func without(_ names: String...) -> FormValues {
        var result = self
        result.pairs.removeAll { names.contains($0.name) }
        return result
    }

    var encoded: String {
        pairs.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    }
}
