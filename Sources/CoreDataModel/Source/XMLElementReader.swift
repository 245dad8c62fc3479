// SPDX-License-Identifier: Apache-2.0

private import FoundationXML

/// Receives the elements of an XML file in the order of the file.
package protocol XMLElementHandler: AnyObject {
    /// An element begins. The root element has the depth 1.
    func begin(_ name: String, attributes: [String: String], depth: Int, line: Int) -> XMLElementReader.Step
    /// A piece of the text of the innermost open element.
    func append(text: String, depth: Int)
    /// An element ends.
    func end(_ name: String, depth: Int) -> XMLElementReader.Step
}

extension XMLElementHandler {
    package func append(text: String, depth: Int) {}
}

/// Reads XML and reports its elements to a handler. Refuses external entities, and elements that are nested too deeply.
package enum XMLElementReader {
    /// The reader's next step after an event.
    package enum Step {
        case proceed
        /// Ends reading without an error.
        case stop
        /// Ends reading with an error that has this reason.
        case fail(String)
    }

    /// A model file is nested less deeply.
    private static let depthLimit = 64

    /// Reads an XML file.
    ///
    /// - Parameters:
    ///   - data: the file's bytes: UTF-8, or UTF-16 with a byte order mark.
    ///   - url: the file, for messages.
    ///   - handler: receives the elements.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with the file and the line for malformed XML, and if the
    ///   handler fails.
    package static func read(_ data: Data, from url: URL, reportingTo handler: any XMLElementHandler) throws {
        let delegate = ParserDelegate(handler)
        do {
            let parser = XMLParser(stream: InputStream(data: try XMLInput.validated(data)))
            parser.shouldResolveExternalEntities = false
            parser.delegate = delegate
            // The result is true for many malformed files on Linux: the reported errors count.
            _ = parser.parse()
        } catch let refusal as XMLInput.InvalidInput {
            throw ModelFileError.corrupt(url, "\(refusal.reason).")
        }
        if let problem = delegate.problem { throw ModelFileError.corrupt(url, problem.reason, line: problem.line) }
        guard delegate.isComplete else {
            throw ModelFileError.corrupt(url, "malformed XML at line 1, column 1: no element, or one that doesn't end.")
        }
    }

    /// The reasons of frequent errors, by the code of the parser.
    private static let reasons = [
        1: "the file, or a line or value in it, is longer than the XML parser reads", 4: "there is no element",
        5: "an element doesn't end, or text follows the last element", 9: "a character that XML doesn't allow",
        23: "an entity has no ';'", 26: "an unknown entity", 38: "'<' in the value of an attribute",
        39: "the value of an attribute isn't in quotation marks", 41: "an attribute has no value",
        42: "an attribute appears twice", 65: "white space is missing", 68: "a name is missing", 73: "'>' is missing",
        76: "an end tag doesn't match the start tag", 77: "an element doesn't end",
        201: "a name has a prefix that isn't declared",
    ]

    private final class ParserDelegate: NSObject, XMLParserDelegate {
        /// The first error. Later errors follow from it.
        private(set) var problem: (reason: String, line: Int)?
        private let handler: any XMLElementHandler
        private var depth = 0
        private var hasRoot = false
        private var isStopped = false

        init(_ handler: any XMLElementHandler) { self.handler = handler }

        var isComplete: Bool { isStopped || (hasRoot && depth == 0) }

        private var isFinished: Bool { isStopped || problem != nil }

        private func apply(_ step: Step, _ parser: XMLParser) {
            switch step {
            case .proceed: return
            case .stop: isStopped = true
            case .fail(let reason): problem = (reason, parser.lineNumber)
            }
            parser.abortParsing()
        }

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?, attributes: [String: String]
        ) {
            guard !isFinished else { return }
            hasRoot = true
            depth += 1
            guard depth <= depthLimit else {
                return apply(.fail("elements are nested more than \(depthLimit) deep."), parser)
            }
            apply(handler.begin(elementName, attributes: attributes, depth: depth, line: parser.lineNumber), parser)
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if !isFinished { handler.append(text: string, depth: depth) }
        }

        func parser(
            _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
        ) {
            guard !isFinished else { return }
            apply(handler.end(elementName, depth: depth), parser)
            depth -= 1
        }

        func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
            guard !isFinished else { return }
            let code = (parseError as NSError).code
            let reason = reasons[code] ?? "XML parser error \(code)"
            let position = "line \(parser.lineNumber), column \(parser.columnNumber)"
            problem = ("malformed XML at \(position): \(reason).", parser.lineNumber)
        }
    }
}
