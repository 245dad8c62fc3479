/// What the readers of source elements share: the file for messages, the definitions of composites.
struct SourceReadingContext {
    let url: URL
    var composites: [String: SourceElement] = [:]

    /// Composites may nest; deeper than this they go in circles.
    static let compositeDepthLimit = 16

    func corrupt(_ reason: String, _ element: SourceElement, entity: String?, key: String?) -> CocoaError {
        ModelFileError.corrupt(url, reason, entity: entity, key: key, line: element.line > 0 ? element.line : nil)
    }

    /// An attribute that must be there.
    func required(_ attribute: String, of element: SourceElement, entity: String?, key: String?) throws -> String {
        guard let value = element.text(attribute) else {
            let named = key.map { " '\($0)'" } ?? ""
            let owner = entity.map { " of entity '\($0)'" } ?? ""
            throw corrupt("the element <\(element.name)>\(named)\(owner) has no attribute '\(attribute)'", element, entity: entity, key: key ?? attribute)
        }
        return value
    }

    func userInfo(_ element: SourceElement) -> [AnyHashable: Any]? {
        guard let entries = element.child(named: "userInfo")?.children(named: "entry"), !entries.isEmpty else { return nil }
        var userInfo: [AnyHashable: Any] = [:]
        for entry in entries {
            if let key = entry["key"] { userInfo[key] = entry["value"] ?? "" }
        }
        return userInfo
    }
}
