// SPDX-License-Identifier: Apache-2.0

/// The shared state of the readers of source elements.
struct SourceReadingContext {
    let url: URL
    let format: SourceFormat
    var composites: [String: SourceElement] = [:]

    /// Composites can be nested. A composite that is nested more deeply contains itself.
    static let compositeDepthLimit = 16
    /// Limits the number of elements of all composites, which can grow exponentially with the depth.
    let compositeBudget = KeyedArchiveBudget(values: 100_000)

    func corrupt(_ reason: String, _ element: SourceElement, entity: String?, key: String?) -> CocoaError {
        ModelFileError.corrupt(
            url, reason, entity: entity, key: key, line: element.line > 0 ? element.line : nil,
            column: element.column > 0 ? element.column : nil)
    }

    /// The text of a required attribute.
    func required(_ attribute: String, of element: SourceElement, entity: String?, key: String?) throws -> String {
        guard let value = element.text(attribute) else {
            let named = key.map { " '\($0)'" } ?? ""
            let owner = entity.map { " of entity '\($0)'" } ?? ""
            throw corrupt(
                "the element <\(element.name)>\(named)\(owner) has no attribute '\(attribute)'", element,
                entity: entity, key: key ?? attribute)
        }
        return value
    }

    func userInfo(_ element: SourceElement) throws -> [AnyHashable: Any]? {
        guard let entries = element.child(named: "userInfo")?.children(named: "entry"), !entries.isEmpty else {
            return nil
        }
        var userInfo: [AnyHashable: Any] = [:]
        for entry in entries {
            if let key = entry["key"] { userInfo[key] = try value(entry) }
        }
        return userInfo
    }

    /// The value of an element: a string; in the text notation also a value of another type.
    func value(_ element: SourceElement) throws -> Any {
        guard format == .textNotation else { return element["value"] ?? "" }
        guard let value = SourceValue.read(element) else {
            throw corrupt(
                "'\(element["value"] ?? "")' is not a valid value of type \(element["type"] ?? "text")", element,
                entity: nil,
                key: element["key"])
        }
        return value
    }

    /// Parses an expression.
    func expression(_ text: String, of subject: String, _ element: SourceElement, entity: String?, key: String?) throws
        -> NSExpression
    {
        do {
            return try SourceDerivation.read(text)
        } catch {
            throw corrupt(
                "the expression '\(text)' of \(subject) can't be read: \(error)", element, entity: entity, key: key)
        }
    }

    /// Parses the predicate in an attribute of an element. In the text notation the element can contain values for
    /// `%@`.
    func predicate(
        _ text: String, of subject: String, _ element: SourceElement, _ attribute: String, entity: String?, key: String?
    ) throws -> NSPredicate {
        var arguments: [Any] = []
        if format == .textNotation {
            arguments = try element.children(named: "argument").filter { $0["of"] == attribute }.map(value)
        }
        do {
            return try NSPredicate.parse(text, arguments: arguments)
        } catch {
            throw corrupt(
                "the predicate '\(text)' of \(subject) can't be read: \(error)", element, entity: entity, key: key)
        }
    }
}
