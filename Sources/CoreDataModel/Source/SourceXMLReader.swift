// SPDX-License-Identifier: Apache-2.0

/// Reads XML into a tree of source elements. Text between elements is ignored: models store all values in attributes.
package enum SourceXMLReader {
    /// Reads the XML of a source model.
    ///
    /// - Parameters:
    ///   - data: the file's bytes: UTF-8, or UTF-16 with a byte order mark.
    ///   - url: the file, for messages.
    /// - Returns: the root element.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file, line and column for malformed XML.
    package static func read(_ data: Data, from url: URL) throws -> SourceElement {
        let builder = Builder()
        try XMLElementReader.read(data, from: url, reportingTo: builder)
        guard let root = builder.root else { throw ModelFileError.corrupt(url, "it has no element.") }
        return root
    }

    private final class Builder: XMLElementHandler {
        var root: SourceElement?
        private var open: [SourceElement] = []

        func begin(_ name: String, attributes: [String: String], depth: Int, line: Int) -> XMLElementReader.Step {
            let element = SourceElement(name, attributes: attributes, line: line)
            if let parent = open.last { parent.children.append(element) } else if root == nil { root = element }
            open.append(element)
            return .proceed
        }

        func end(_ name: String, depth: Int) -> XMLElementReader.Step {
            _ = open.popLast()
            return .proceed
        }
    }
}
