// SPDX-License-Identifier: Apache-2.0

/// Writes source elements in the text notation: one property per line, an indentation of four spaces, in the order of
/// the elements.
package struct TextNotationWriter {
    private let defaults: TextNotationDefaults
    var lines: [String] = []

    package static func text(_ root: SourceElement) -> String {
        var writer = TextNotationWriter(defaults: TextNotationDefaults.mostCompact(root))
        writer.model(root)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private init(defaults: TextNotationDefaults) { self.defaults = defaults }

    mutating func line(_ text: String, _ level: Int) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: level) + text)
    }

    /// Appends an empty line between two parts.
    private mutating func appendBlankLine() {
        if !lines.isEmpty { lines.append("") }
    }

    private mutating func model(_ root: SourceElement) {
        settings(root)
        for entity in root.children(named: "entity") {
            appendBlankLine()
            self.entity(entity)
        }
        for composite in root.children(named: "composite") {
            appendBlankLine()
            line("composite \(name(composite)) {", 0)
            for attribute in composite.children { property(attribute, 1) }
            line("}", 0)
        }
        let requests = root.children(named: "fetchRequest")
        if !requests.isEmpty { appendBlankLine() }
        for request in requests {
            head(
                "fetch \(name(request)): \(TextNotationText.name(request["entity"] ?? ""))",
                options(request, TextNotationVocabulary.request), 0
            ) {
                $0.requestParts(request, 1)
            }
        }
        for configuration in root.children(named: "configuration") {
            appendBlankLine()
            line("configuration \(name(configuration)) {", 0)
            for member in configuration.children { line(name(member), 1) }
            line("}", 0)
        }
        guard let localization = root.child(named: "localization") else { return }
        appendBlankLine()
        line("localization {", 0)
        for entry in localization.children {
            line("\(TextNotationText.text(entry["key"] ?? "")): \(TextNotationText.text(entry["value"] ?? ""))", 1)
        }
        line("}", 0)
    }

    private mutating func settings(_ root: SourceElement) {
        let versions = root.children(named: "versionIdentifier").compactMap { $0["value"] }.map(TextNotationText.text)
        var settings = versions.isEmpty ? [] : ["version: " + versions.joined(separator: ", ")]
        let defaultAttributes = TextNotationVocabulary.defaultDocumentAttributes
        let specified = SourceEditorAttributes.model.filter { root[$0] != nil }
        // Without other settings the kind of the document must be explicit, because it has no default then.
        let hasOtherSettings = specified.contains { defaultAttributes[$0] == nil }
        for option in TextNotationVocabulary.model {
            switch option.attribute {
            case TextNotationDefaults.syncableAttribute where defaults.syncable != .unset:
                settings.append("syncable: \(defaults.syncable.rawValue)")
            case TextNotationDefaults.scalarsAttribute where defaults.scalars != TextNotationDefaults.standardScalars:
                settings.append("scalars: \(defaults.scalars.rawValue)")
            case let attribute where defaultAttributes[attribute] != nil:
                if specified.isEmpty || (hasOtherSettings && root[attribute] == defaultAttributes[attribute]) {
                    continue
                }
                settings.append("\(option.word): \(root[attribute].map(Self.state) ?? "unset")")
            default:
                if let text = self.option(option, root) { settings.append(text) }
            }
        }
        if settings.isEmpty { return }
        line("model {", 0)
        for setting in settings { line(setting, 1) }
        line("}", 0)
    }

    /// Writes a statement with its options, and its block if it isn't empty.
    mutating func head(_ head: String, _ options: [String], _ level: Int, _ block: (inout TextNotationWriter) -> Void) {
        let text = ([head] + options).joined(separator: ", ")
        let start = lines.count
        line(text + " {", level)
        block(&self)
        if lines.count == start + 1 {
            lines[start].removeLast(2)
        } else {
            line("}", level)
        }
    }

    func name(_ element: SourceElement) -> String { TextNotationText.name(element["name"] ?? "") }

    // MARK: Details

    func options(_ element: SourceElement, _ table: [TextNotationOption]) -> [String] {
        table.compactMap { option($0, element) }
    }

    /// The text of an option; nil if the element doesn't have it.
    private func option(_ option: TextNotationOption, _ element: SourceElement) -> String? {
        let word = option.word
        let value = element[option.attribute]
        switch option.kind {
        // Properties are optional by default, so only `required` is written.
        case .flag: return value == "YES" && option.attribute != "optional" ? word : nil
        case .opposite: return value == "YES" ? nil : word
        case .off: return value == "NO" ? word + ": no" : nil
        case .state:
            if value == defaults.value(of: option.attribute, for: element) { return nil }
            guard let value else { return word + ": unset" }
            return value == "YES" && element.name != "model" ? word : word + ": " + Self.state(value)
        case .name: return value.map { word + ": " + TextNotationText.name($0) }
        case .text: return value.map { word + ": " + TextNotationText.text($0) }
        case .predicate: return value.map { word + ": " + predicate($0, option.attribute, element) }
        case .displayedText:
            return element["attributeType"] == "Date" ? value.map { word + ": " + TextNotationText.text($0) } : nil
        case .count: return value.map { word + ": " + $0 }
        case .choice(let choices):
            return value.map { value in
                word + ": " + (choices.first { $0.value == value }?.word ?? TextNotationText.name(value))
            }
        case .derivation:
            guard element.isTrue("derived") else { return nil }
            return value.map { word + ": " + TextNotationText.text($0) } ?? word
        case .defaultValue: return defaultValue(element).map { word + ": " + $0 }
        case .limit: return limit(option, element).map { word + ": " + $0 }
        case .lengthLimit: return element["attributeType"] == "String" ? value.map { word + ": " + $0 } : nil
        }
    }

    /// The text of a predicate with the values for its placeholders.
    func predicate(_ text: String, _ attribute: String, _ element: SourceElement) -> String {
        let arguments = element.children(named: "argument").filter { $0["of"] == attribute }
        return TextNotationText.text(text)
            + (arguments.isEmpty ? "" : " with [" + arguments.map(inline).joined(separator: ", ") + "]")
    }

    private static func state(_ value: String) -> String {
        switch value {
        case "YES": return "yes"
        case "NO": return "no"
        default:
            let isReserved = ["yes", "no", "true", "false", "unset"].contains(value.lowercased())
            return isReserved ? TextNotationText.text(value) : TextNotationText.name(value)
        }
    }

    private func defaultValue(_ element: SourceElement) -> String? {
        if let value = element.child(named: "defaultValue") {
            // The attribute isn't a string, so a text needs an explicit type.
            return value["type"] == nil ? "text " + inline(value) : inline(value)
        }
        let type = element["attributeType"]
        if type == "Date" { return element["defaultDateTimeInterval"].map(Self.date) }
        guard let text = element["defaultValueString"] else { return nil }
        let known = type.flatMap(SourceSpelling.attributeType(named:)) ?? .undefinedAttributeType
        if known == .booleanAttributeType, text == "YES" || text == "NO" { return text.lowercased() }
        // A text that is not a value of the type, or not in its form, is in quotation marks: it stays as it is.
        let isWord = known.isNumber || known == .booleanAttributeType
        return isWord && (try? SourceText.checked(text, type: known)) == text ? text : TextNotationText.text(text)
    }

    private func limit(_ option: TextNotationOption, _ element: SourceElement) -> String? {
        switch element["attributeType"] {
        case "Date": return element[option.word == "min" ? "minDateTimeInterval" : "maxDateTimeInterval"].map(Self.date)
        case "String": return nil
        default: return element[option.attribute]
        }
    }

    /// A readable date, if it has exactly this interval; otherwise the interval.
    static func date(_ interval: String) -> String {
        SourceText.date(interval).map(TextNotationText.text) ?? interval
    }

    /// The keyword for a type of source models.
    static func typeWord(_ name: String) -> String {
        TextNotationVocabulary.types.first { $0.name == name }?.word ?? "undefined"
    }
}
