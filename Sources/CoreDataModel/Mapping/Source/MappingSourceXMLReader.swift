private import FoundationXML

/// Reads the XML of a source mapping model into its objects.
enum MappingSourceXMLReader {
    /// Deeper than any such file is; the metadata at its beginning is a property list.
    private static let depthLimit = 64

    /// - Returns: nil if the XML is a property list, which is the other thing that a mapping model may be.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` with file and line if the XML is malformed or no store.
    static func read(_ data: Data, from url: URL) throws -> MappingSourceStore? {
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
        if builder.rootName == "plist" { return nil }
        if let problem = builder.problem { throw ModelFileError.corrupt(url, problem.reason, line: problem.line) }
        guard let root = builder.rootName, builder.isComplete else {
            throw ModelFileError.corrupt(url, "malformed XML: no element, or one that doesn't end.")
        }
        guard root == "database" else {
            throw ModelFileError.corrupt(url, "it is XML but no mapping model: its root element is <\(root)>.")
        }
        return builder.store
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var store = MappingSourceStore()
        var rootName: String?
        /// The first thing that was wrong; what follows from it isn't told.
        var problem: (reason: String, line: Int)?
        private var openCount = 0
        private var object: MappingSourceObject?
        /// The attribute whose text is being read.
        private var attributeName: String?
        private var text = ""

        var isComplete: Bool { openCount == 0 }

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?,
            attributes: [String: String]
        ) {
            guard problem == nil else { return }
            if openCount == 0, rootName == nil { rootName = elementName }
            openCount += 1
            if openCount > depthLimit {
                fail(parser, "elements are nested more than \(depthLimit) deep")
            } else if openCount == 2, elementName == "object" {
                guard let type = attributes["type"], let id = attributes["id"] else {
                    return fail(parser, "an object has no type or no id")
                }
                object = MappingSourceObject(type: type, id: id, line: parser.lineNumber)
            } else if openCount == 3, object != nil, let name = attributes["name"] {
                if elementName == "attribute" {
                    attributeName = name
                    text = ""
                } else if elementName == "relationship" {
                    let references = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
                    object?.relationships[name] = references.map(String.init)
                }
            }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if attributeName != nil, openCount == 3 { text += string }
        }

        func parser(
            _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
        ) {
            guard problem == nil else { return }
            if openCount == 3, let name = attributeName {
                object?.attributes[name] = text
                attributeName = nil
            } else if openCount == 2, let finished = object {
                if !store.add(finished) { fail(parser, "two objects have the id '\(finished.id)'") }
                object = nil
            }
            openCount -= 1
        }

        func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
            guard problem == nil else { return }
            let place = "line \(parser.lineNumber), column \(parser.columnNumber)"
            problem = (
                "malformed XML at \(place) (XML parser error \((parseError as NSError).code)).", parser.lineNumber
            )
        }

        private func fail(_ parser: XMLParser, _ reason: String) {
            problem = (reason, parser.lineNumber)
            parser.abortParsing()
        }
    }
}
