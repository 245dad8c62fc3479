// SPDX-License-Identifier: Apache-2.0

private import FoundationXML

/// Reads XML property lists. A dictionary whose only key is `CF$UID` is a reference of a keyed archive.
enum XMLPropertyListReader {
    static func read(_ data: Data, limits: PropertyListLimits) throws -> PropertyListValue {
        let builder = Builder(limits: limits)
        let input: Data
        do {
            input = try XMLInput.validated(data)
        } catch let refusal as XMLInput.InvalidInput {
            throw propertyListError(refusal.reason)
        }
        let parser = XMLParser(stream: InputStream(data: input))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let sound = parser.parse()
        if let problem = builder.problem { throw propertyListError(problem) }
        // On Linux, Foundation may return true although it reported an error.
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

        private func fail(_ parser: XMLParser, _ reason: String) {
            if problem == nil { problem = "\(reason) (line \(parser.lineNumber), column \(parser.columnNumber))" }
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
                    return fail(parser, "it has more than \(limits.depth) nested levels")
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
                    return fail(parser, "<\(element)> has no valid value")
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

/// Parses the date format of XML property lists, `2001-01-01T00:00:00Z`. A `DateFormatter` needs a millisecond for each
/// date.
enum XMLPropertyListDate {
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    /// The days from 0001-01-01 to 2001-01-01.
    private static let daysBeforeReference = 730_485

    /// The seconds since 2001-01-01 00:00:00 UTC; nil for an invalid text.
    static func seconds(_ text: String) -> Double? {
        let digits = Array(text.utf8)
        guard digits.count == 20, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            digits[10] == UInt8(ascii: "T"),
            digits[13] == UInt8(ascii: ":"), digits[16] == UInt8(ascii: ":"), digits[19] == UInt8(ascii: "Z"),
            let year = number(digits[0..<4]), let month = number(digits[5..<7]), let day = number(digits[8..<10]),
            let hour = number(digits[11..<13]), let minute = number(digits[14..<16]),
            let second = number(digits[17..<19]),
            year >= 1, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let monthEnd = month == 12 ? 365 : daysBeforeMonth[month]
        let length = monthEnd - daysBeforeMonth[month - 1] + (isLeap && month == 2 ? 1 : 0)
        guard day <= length else { return nil }
        let past = year - 1
        let days =
            past * 365 + past / 4 - past / 100 + past / 400 + daysBeforeMonth[month - 1] + (isLeap && month > 2 ? 1 : 0)
            + day - 1
        return Double(((days - daysBeforeReference) * 24 + hour) * 3600 + minute * 60 + second)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit) - 0x30
        }
        return value
    }
}
