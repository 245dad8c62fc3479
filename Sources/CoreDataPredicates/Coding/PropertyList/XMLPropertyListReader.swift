private import FoundationXML

/// Reads XML property lists. A dictionary with the one key `CF$UID` is a reference of a keyed archive.
package enum XMLPropertyListReader {
    package static func read(_ data: Data, limits: PropertyListLimits) throws -> PropertyListValue {
        let builder = Builder(limits: limits)
        let input: Data
        do {
            input = try XMLInput.sound(data)
        } catch let refusal as XMLInput.Refusal {
            throw propertyListError(refusal.reason)
        }
        let parser = XMLParser(stream: InputStream(data: input))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let sound = parser.parse()
        if let problem = builder.problem { throw propertyListError(problem) }
        // Foundation on Linux may answer true although it reported an error.
        guard sound, parser.parserError == nil, let root = builder.root else {
            let reason = parser.parserError.map { ": \(($0 as NSError).localizedDescription)" } ?? ""
            throw propertyListError(
                "malformed XML at line \(parser.lineNumber), column \(parser.columnNumber)\(reason)")
        }
        return root
    }

    private final class Builder: NSObject, XMLParserDelegate {
        private struct Container {
            let isDictionary: Bool
            var values: [PropertyListValue] = []
            var dictionary = PropertyListDictionary()
            var key: String?
        }

        let limits: PropertyListLimits
        private(set) var root: PropertyListValue?
        private(set) var problem: String?
        private var containers: [Container] = []
        private var text: String?
        private var count = 0

        init(limits: PropertyListLimits) {
            self.limits = limits
        }

        private func fail(_ parser: XMLParser, _ what: String) {
            if problem == nil { problem = "\(what) (line \(parser.lineNumber), column \(parser.columnNumber))" }
            parser.abortParsing()
        }

        func parser(
            _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            switch element {
            case "plist":
                break
            case "dict", "array":
                guard containers.count < limits.depth else {
                    return fail(parser, "it is nested deeper than \(limits.depth) levels")
                }
                containers.append(Container(isDictionary: element == "dict"))
            case "key", "string", "integer", "real", "date", "data", "true", "false":
                text = ""
            default:
                fail(parser, "unknown element <\(element)>")
            }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            text?.append(string)
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            text?.append(String(decoding: block, as: UTF8.self))
        }

        func parser(
            _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
        ) {
            let content = text ?? ""
            text = nil
            switch element {
            case "key":
                guard let last = containers.indices.last, containers[last].isDictionary, containers[last].key == nil
                else { return fail(parser, "<key> outside of a dictionary") }
                containers[last].key = content
            case "dict":
                guard let container = containers.popLast(), container.key == nil else {
                    return fail(parser, "a key without a value")
                }
                if container.dictionary.count == 1, let reference = container.dictionary["CF$UID"]?.integerValue,
                    let uid = Int32(exactly: reference), uid >= 0
                {
                    add(.uid(Int(uid)), parser)
                } else {
                    add(.dictionary(container.dictionary), parser)
                }
            case "array":
                guard let container = containers.popLast() else { return }
                add(.array(container.values), parser)
            case "plist":
                break
            default:
                guard let value = Self.leaf(element, content) else {
                    return fail(parser, "<\(element)> holds no proper value")
                }
                add(value, parser)
            }
        }

        private func add(_ value: PropertyListValue, _ parser: XMLParser) {
            count += 1
            guard count <= limits.values else {
                return fail(parser, "it has more than \(limits.values) values")
            }
            guard let last = containers.indices.last else {
                if root == nil { root = value } else { fail(parser, "a second root value") }
                return
            }
            if containers[last].isDictionary {
                guard let key = containers[last].key else { return fail(parser, "a value without a key") }
                guard containers[last].dictionary[key] == nil else {
                    return fail(parser, "a dictionary with the key '\(key)' twice")
                }
                containers[last].dictionary[key] = value
                containers[last].key = nil
            } else {
                containers[last].values.append(value)
            }
        }

        private static func leaf(_ element: String, _ content: String) -> PropertyListValue? {
            let trimmed = content.trimmingCharacters(in: .whitespacesAndNewlines)
            switch element {
            case "string": return .string(content)
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "integer": return integer(trimmed)
            case "real": return Double(trimmed).map(PropertyListValue.real)
            case "date": return XMLPropertyListDate.seconds(trimmed).map(PropertyListValue.date)
            case "data":
                return Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map(PropertyListValue.data)
            default: return nil
            }
        }

        private static func integer(_ text: String) -> PropertyListValue? {
            if let value = Int64(text) { return .integer(value) }
            if let value = UInt64(text) { return .unsignedInteger(value) }
            let lowered = text.lowercased()
            if lowered.hasPrefix("0x") { return Int64(lowered.dropFirst(2), radix: 16).map(PropertyListValue.integer) }
            return nil
        }
    }
}
