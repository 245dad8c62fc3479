// SPDX-License-Identifier: Apache-2.0

extension TextNotationWriter {
    private static let propertyNames: Set<String> = ["attribute", "relationship", "fetchedProperty"]

    mutating func entity(_ element: SourceElement) {
        var head = element.isTrue("isAbstract") ? "abstract entity " : "entity "
        head += name(element)
        if let parent = element["parentEntity"] { head += ": " + TextNotationText.name(parent) }
        if let className = element["representedClassName"] { head += " as " + TextNotationText.name(className) }
        // The options in the head are not repeated.
        let table = TextNotationVocabulary.entity.filter {
            !["representedClassName", "parentEntity", "isAbstract"].contains($0.attribute)
        }
        self.head(head, options(element, table), 0) { writer in
            let properties = element.children.filter { Self.propertyNames.contains($0.name) }
            for child in properties { writer.property(child, 1) }
            let start = writer.lines.count
            writer.entityParts(element)
            if !properties.isEmpty, writer.lines.count > start { writer.lines.insert("", at: start) }
        }
    }

    private mutating func entityParts(_ element: SourceElement) {
        for list in element.children(named: "uniquenessConstraints").flatMap(\.children) {
            line("unique " + names(list), 1)
        }
        for child in element.children(named: "fetchIndex") { line(index(child), 1) }
        for list in element.children(named: "compoundIndexes").flatMap(\.children) {
            line("compound-index " + names(list), 1)
        }
        userInfo(element, 1)
    }

    private func names(_ list: SourceElement) -> String {
        list.children.map { TextNotationText.name($0["value"] ?? "") }.joined(separator: ", ")
    }

    private func index(_ element: SourceElement) -> String {
        var number = 0
        let elements = element.children(named: "fetchIndexElement").map { element -> String in
            var words: [String] = []
            if let expression = element["expression"] {
                number += 1
                words = ["expression", TextNotationText.text(expression)]
                if let type = element["expressionType"], type != "Undefined" { words += ["type", Self.typeWord(type)] }
                if let name = element["expressionName"], name != "expression\(number)" {
                    words += ["named", TextNotationText.name(name)]
                }
            } else {
                words = [TextNotationText.name(element["property"] ?? "")]
            }
            if element["type"] == "RTree" { words.append("rtree") }
            if element["order"] == "descending" { words.append("descending") }
            return words.joined(separator: " ")
        }
        let text = "index \(name(element)): " + elements.joined(separator: ", ")
        return text
            + (element["partialIndexPredicate"].map { " where " + predicate($0, "partialIndexPredicate", element) }
                ?? "")
    }

    mutating func property(_ element: SourceElement, _ level: Int) {
        let name = name(element)
        var head: String
        var table: [TextNotationOption]
        switch element.name {
        case "attribute":
            head = "attribute \(name): " + Self.typeWord(element["attributeType"] ?? "")
            if let composite = element["composite"] { head += " " + TextNotationText.name(composite) }
            table = TextNotationVocabulary.attribute
        case "relationship":
            // The keyword determines the count of a to-one relationship.
            let isToMany = element.isTrue("toMany")
            head =
                """
                \(isToMany ? "to-many" : "to-one") \(name): \
                \(TextNotationText.name(element["destinationEntity"] ?? ""))
                """
            table = TextNotationVocabulary.relationship.filter { isToMany || $0.attribute != "maxCount" }
            if element["inverseEntity"] == element["destinationEntity"] {
                table.removeAll { $0.attribute == "inverseEntity" }
            }
        default:
            head = "fetched \(name)"
            table = TextNotationVocabulary.fetched
        }
        let request = element.child(named: "fetchRequest")
        var options = options(element, table)
        if let request {
            head += ": " + TextNotationText.name(request["entity"] ?? "")
            options += self.options(request, TextNotationVocabulary.request)
        }
        self.head(head, options, level) { writer in
            for rule in element.children(named: "validation") {
                let predicate = writer.predicate(rule["predicate"] ?? "", "predicate", rule)
                // An error code is a number. Other values have an explicit type.
                let warning = rule["type"] == "integer" ? rule["value"] ?? "" : writer.inline(rule)
                writer.line("predicate \(predicate) warning \(warning)", level + 1)
            }
            if let request { writer.requestParts(request, level + 1) }
            writer.userInfo(element, level + 1)
        }
    }

    mutating func requestParts(_ request: SourceElement, _ level: Int) {
        for part in request.children where part.name != "argument" {
            var words = [part.name, name(part)]
            if part["order"] == "descending" { words.append("descending") }
            if let selector = part["selector"] { words += ["by", String(selector.dropLast())] }
            if let expression = part["expression"] {
                words[1] += ":"
                words += [Self.typeWord(part["expressionType"] ?? ""), TextNotationText.text(expression)]
            }
            line(words.joined(separator: " "), level)
        }
    }

    private mutating func userInfo(_ element: SourceElement, _ level: Int) {
        guard let userInfo = element.child(named: "userInfo") else { return }
        line("user-info {", level)
        for entry in userInfo.children {
            line("\(TextNotationText.name(entry["key"] ?? "")): \(inline(entry))", level + 1)
        }
        line("}", level)
    }

    /// A value on one line.
    func inline(_ element: SourceElement) -> String {
        let text = element["value"] ?? ""
        guard let type = element["type"] else { return TextNotationText.text(text) }
        switch SourceValue.Kind(rawValue: type) {
        case .list: return "[" + element.children.map(inline).joined(separator: ", ") + "]"
        case .dictionary:
            let entries = element.children.map { "\(TextNotationText.name($0["key"] ?? "")): \(inline($0))" }
            return entries.isEmpty ? "{}" : "{ " + entries.joined(separator: ", ") + " }"
        case .null: return type
        case .date: return type + " " + Self.date(text)
        default: return type + " " + TextNotationText.name(text)
        }
    }
}
