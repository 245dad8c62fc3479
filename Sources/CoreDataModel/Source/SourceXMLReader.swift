private import FoundationXML

/// Reads XML into a tree of source elements. Text between elements is ignored: models keep everything in attributes.
package enum SourceXMLReader {
    /// Deeper than any model is.
    private static let depthLimit = 64

    /// - Parameters:
    ///   - data: the file's bytes.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` with file, line and column if the XML is malformed.
    package static func read(_ data: Data, from url: URL) throws -> SourceElement {
        let builder = Builder()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let isWellFormed = parser.parse()
        if builder.isTooDeep {
            throw ModelFileError.corrupt(url, "elements are nested more than \(depthLimit) deep (line \(parser.lineNumber)).")
        }
        guard isWellFormed, let root = builder.root else {
            throw ModelFileError.corrupt(
                url, "malformed XML at line \(parser.lineNumber), column \(parser.columnNumber)\(reason(parser.parserError)).")
        }
        return root
    }

    private static func reason(_ error: (any Error)?) -> String {
        guard let error = error as NSError? else { return "" }
        return " (XML parser error \(error.code))"
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: SourceElement?
        var isTooDeep = false
        private var open: [SourceElement] = []

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
            attributes attributeDict: [String: String]
        ) {
            guard open.count < depthLimit else {
                isTooDeep = true
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
    }
}
