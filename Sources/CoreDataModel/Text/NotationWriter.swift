/// Writes source elements in the notation: one property a line, four spaces for each level, everything in the order of
/// the elements.
struct NotationWriter {
    private let defaults: NotationDefaults
    var lines: [String] = []

    static func text(_ root: SourceElement) -> String {
        var writer = NotationWriter(defaults: NotationDefaults.fitting(root))
        writer.model(root)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private init(defaults: NotationDefaults) { self.defaults = defaults }

    mutating func line(_ text: String, _ level: Int) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: level) + text)
    }

    /// A line between what came before and what comes next.
    private mutating func separate() {
        if !lines.isEmpty { lines.append("") }
    }

    private mutating func model(_ root: SourceElement) {
        settings(root)
        for entity in root.children(named: "entity") {
            separate()
            self.entity(entity)
        }
        for composite in root.children(named: "composite") {
            separate()
            line("composite \(name(composite)) {", 0)
            for attribute in composite.children { property(attribute, 1) }
            line("}", 0)
        }
        let requests = root.children(named: "fetchRequest")
        if !requests.isEmpty { separate() }
        for request in requests {
            head(
                "fetch \(name(request)): \(NotationText.name(request["entity"] ?? ""))",
                details(request, NotationWords.request), 0
            ) {
                $0.requestParts(request, 1)
            }
        }
        for configuration in root.children(named: "configuration") {
            separate()
            line("configuration \(name(configuration)) {", 0)
            for member in configuration.children { line(name(member), 1) }
            line("}", 0)
        }
        guard let localization = root.child(named: "localization") else { return }
        separate()
        line("localization {", 0)
        for entry in localization.children {
            line("\(NotationText.text(entry["key"] ?? "")): \(NotationText.text(entry["value"] ?? ""))", 1)
        }
        line("}", 0)
    }

    private mutating func settings(_ root: SourceElement) {
        let versions = root.children(named: "versionIdentifier").compactMap { $0["value"] }.map(NotationText.text)
        var settings = versions.isEmpty ? [] : ["version: " + versions.joined(separator: ", ")]
        let usual = NotationWords.usualDocument
        let said = SourceEditorAttributes.model.filter { root[$0] != nil }
        // A document that says nothing else must say its kind, or none would be read.
        let saysMore = said.contains { usual[$0] == nil }
        for detail in NotationWords.model {
            switch detail.attribute {
            case NotationDefaults.syncableAttribute where defaults.syncable != .unset:
                settings.append("syncable: \(defaults.syncable.rawValue)")
            case NotationDefaults.scalarsAttribute where defaults.scalars != .unset:
                settings.append("scalars: \(defaults.scalars.rawValue)")
            case let attribute where usual[attribute] != nil:
                if said.isEmpty || (saysMore && root[attribute] == usual[attribute]) { continue }
                settings.append("\(detail.word): \(root[attribute].map(Self.state) ?? "unset")")
            default:
                if let text = self.detail(detail, root) { settings.append(text) }
            }
        }
        if settings.isEmpty { return }
        line("model {", 0)
        for setting in settings { line(setting, 1) }
        line("}", 0)
    }

    /// A statement with its details, and its block if the block isn't empty.
    mutating func head(_ head: String, _ details: [String], _ level: Int, _ block: (inout NotationWriter) -> Void) {
        let text = ([head] + details).joined(separator: ", ")
        let start = lines.count
        line(text + " {", level)
        block(&self)
        if lines.count == start + 1 {
            lines[start].removeLast(2)
        } else {
            line("}", level)
        }
    }

    func name(_ element: SourceElement) -> String { NotationText.name(element["name"] ?? "") }

    // MARK: Details

    func details(_ element: SourceElement, _ table: [NotationDetail]) -> [String] {
        table.compactMap { detail($0, element) }
    }

    /// The text of a detail; nil if the element says nothing of it.
    private func detail(_ detail: NotationDetail, _ element: SourceElement) -> String? {
        let word = detail.word
        let value = element[detail.attribute]
        switch detail.kind {
        // Properties are optional where nothing is said, so only `required` is written.
        case .flag: return value == "YES" && detail.attribute != "optional" ? word : nil
        case .opposite: return value == "YES" ? nil : word
        case .off: return value == "NO" ? word + ": no" : nil
        case .state:
            if value == defaults.value(of: detail.attribute, for: element) { return nil }
            guard let value else { return word + ": unset" }
            return value == "YES" && element.name != "model" ? word : word + ": " + Self.state(value)
        case .name: return value.map { word + ": " + NotationText.name($0) }
        case .text: return value.map { word + ": " + NotationText.text($0) }
        case .predicate: return value.map { word + ": " + predicate($0, detail.attribute, element) }
        case .shownText:
            return element["attributeType"] == "Date" ? value.map { word + ": " + NotationText.text($0) } : nil
        case .count: return value.map { word + ": " + $0 }
        case .choice(let choices):
            return value.map { value in
                word + ": " + (choices.first { $0.value == value }?.word ?? NotationText.name(value))
            }
        case .derivation:
            guard element.isTrue("derived") else { return nil }
            return value.map { word + ": " + NotationText.text($0) } ?? word
        case .defaultValue: return defaultValue(element).map { word + ": " + $0 }
        case .limit: return limit(detail, element).map { word + ": " + $0 }
        case .lengthLimit: return element["attributeType"] == "String" ? value.map { word + ": " + $0 } : nil
        }
    }

    /// The text of a predicate with the values for its placeholders.
    func predicate(_ text: String, _ attribute: String, _ element: SourceElement) -> String {
        let arguments = element.children(named: "argument").filter { $0["of"] == attribute }
        return NotationText.text(text)
            + (arguments.isEmpty ? "" : " with [" + arguments.map(inline).joined(separator: ", ") + "]")
    }

    private static func state(_ value: String) -> String {
        switch value {
        case "YES": return "yes"
        case "NO": return "no"
        default:
            let isReserved = ["yes", "no", "true", "false", "unset"].contains(value.lowercased())
            return isReserved ? NotationText.text(value) : NotationText.name(value)
        }
    }

    private func defaultValue(_ element: SourceElement) -> String? {
        if let value = element.child(named: "defaultValue") {
            // A text is the default of something else than a string here, so its type is said.
            return value["type"] == nil ? "text " + inline(value) : inline(value)
        }
        let type = element["attributeType"]
        if type == "Date" { return element["defaultDateTimeInterval"].map(Self.date) }
        guard let text = element["defaultValueString"] else { return nil }
        switch type {
        case "Boolean" where text == "YES": return "yes"
        case "Boolean" where text == "NO": return "no"
        case "Boolean", "Decimal", "Double", "Float":
            return NotationParser.isNumber(text) ? text : NotationText.text(text)
        case "Integer 16", "Integer 32", "Integer 64":
            return NotationParser.isWhole(text) ? text : NotationText.text(text)
        default: return NotationText.text(text)
        }
    }

    private func limit(_ detail: NotationDetail, _ element: SourceElement) -> String? {
        switch element["attributeType"] {
        case "Date": return element[detail.word == "min" ? "minDateTimeInterval" : "maxDateTimeInterval"].map(Self.date)
        case "String": return nil
        default: return element[detail.attribute]
        }
    }

    /// A date as people read it, if that says the interval exactly.
    static func date(_ interval: String) -> String {
        guard let value = Double(interval), let text = NotationDate.text(value), SourceText.real(value) == interval
        else { return interval }
        return NotationText.text(text)
    }

    /// The word for a type of source models.
    static func typeWord(_ name: String) -> String {
        NotationWords.types.first { $0.name == name }?.word ?? "undefined"
    }
}
