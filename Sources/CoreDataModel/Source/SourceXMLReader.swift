private import FoundationXML

/// Reads XML into a tree of source elements. Text between elements is ignored: models keep everything in attributes.
package enum SourceXMLReader {
    /// Deeper than any model is.
    private static let depthLimit = 64

    /// - Parameters:
    ///   - data: the file's bytes, UTF-8, or UTF-16 with a byte order mark.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` with file, line and column if the XML is malformed.
    package static func read(_ data: Data, from url: URL) throws -> SourceElement {
        let builder = Builder()
        do {
            let parser = XMLParser(stream: InputStream(data: try XMLInput.sound(data)))
            parser.shouldResolveExternalEntities = false
            parser.delegate = builder
            // The result is true for many malformed files on Linux: the reported errors count.
            _ = parser.parse()
        } catch let refusal as XMLInput.Refusal {
            throw ModelFileError.corrupt(url, "\(refusal.reason).")
        }
        if let problem = builder.problem { throw ModelFileError.corrupt(url, problem, line: builder.problemLine) }
        guard let root = builder.root, builder.isComplete else {
            throw ModelFileError.corrupt(url, "malformed XML at line 1, column 1: no element, or one that doesn't end.")
        }
        return root
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: SourceElement?
        /// The first thing that was wrong; what follows from it isn't told.
        var problem: String?
        var problemLine: Int?
        private var open: [SourceElement] = []

        var isComplete: Bool { open.isEmpty }

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?,
            attributes attributeDict: [String: String]
        ) {
            guard problem == nil else { return }
            guard open.count < depthLimit else {
                problem = "elements are nested more than \(depthLimit) deep."
                problemLine = parser.lineNumber
                parser.abortParsing()
                return
            }
            let element = SourceElement(elementName, attributes: attributeDict, line: parser.lineNumber)
            if let parent = open.last { parent.children.append(element) } else if root == nil { root = element }
            open.append(element)
        }

        func parser(
            _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
        ) {
            _ = open.popLast()
        }

        func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
            guard problem == nil else { return }
            let code = (parseError as NSError).code
            let reason = SourceXMLReader.reasons[code] ?? "XML parser error \(code)"
            problemLine = parser.lineNumber
            problem = "malformed XML at line \(parser.lineNumber), column \(parser.columnNumber): \(reason)."
        }
    }

    /// The usual mistakes, by the parser's code.
    private static let reasons = [
        1: "the file, or a line or value in it, is longer than the XML parser reads", 4: "there is no element",
        5: "an element doesn't end, or something follows the last one", 9: "a character that XML doesn't allow",
        23: "an entity has no ';'", 26: "an unknown entity", 38: "'<' in the value of an attribute",
        39: "the value of an attribute isn't in quotation marks", 41: "an attribute has no value",
        42: "an attribute appears twice",
        65: "white space is missing", 68: "a name is missing", 73: "'>' is missing",
        76: "an end tag doesn't fit the start tag",
        77: "an element doesn't end", 201: "a name has a prefix that isn't declared",
    ]
}
