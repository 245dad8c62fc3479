// SPDX-License-Identifier: Apache-2.0

/// The file of a source model as a tree that is written as it was read, byte by byte.
package struct SourceTreeDocument: Equatable, Sendable {
    /// The text before the root: the declaration of XML and comments.
    var prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    package var root: SourceTree
    /// The text after the root.
    var epilog = ""

    /// A document in Xcode's form.
    package init(root: SourceTree) { self.root = root }

    /// Reads the file `contents` of a source model.
    ///
    /// - Parameters:
    ///   - data: UTF-8.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file and line for a file with the marks of a merge
    ///   conflict, for malformed XML, for another encoding than UTF-8, and for a document type, which no model
    ///   has.
    package init(_ data: Data, from url: URL) throws {
        try Self.refuseConflict(in: data, from: url)
        // Reports malformed XML, and limits the depth.
        _ = try SourceXMLReader.read(data, from: url)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ModelFileError.corrupt(url, "it isn't UTF-8, which the editor needs. Xcode saves it as UTF-8.")
        }
        var scanner = SourceTreeScanner(text)
        do {
            (prolog, root, epilog) = try scanner.document()
        } catch {
            throw ModelFileError.corrupt(url, error.reason, line: error.line)
        }
        guard root.name == "model" else {
            throw ModelFileError.corrupt(url, "it is XML but not a model: its root element is <\(root.name)>.")
        }
    }

    /// The bytes of the file.
    package var data: Data {
        var text = prolog
        root.write(to: &text)
        return Data((text + epilog).utf8)
    }

    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file and line for a file with the marks of a merge
    ///   conflict.
    static func refuseConflict(in data: Data, from url: URL) throws {
        guard let line = conflictLine(data) else { return }
        throw ModelFileError.corrupt(
            url, "it has the marks of a merge conflict ('<<<<<<<', '=======', '>>>>>>>'). Resolve the conflict first.",
            line: line)
    }

    /// The line of the first mark of a merge conflict.
    private static func conflictLine(_ data: Data) -> Int? {
        guard data.range(of: Data("<<<<<<<".utf8)) != nil || data.range(of: Data(">>>>>>>".utf8)) != nil else {
            return nil
        }
        for (index, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated()
        where line.starts(with: Data("<<<<<<<".utf8)) || line.starts(with: Data(">>>>>>>".utf8)) {
            return index + 1
        }
        return nil
    }

    /// A tree as the readers of models take it, without lines.
    static func element(of root: SourceTree) -> SourceElement {
        SourceElement(
            root.name, root.attributes.map { ($0.name, $0.value) }, children: root.children.map(Self.element(of:)))
    }
}

extension SourceTree {
    /// The tree of elements that were read or made, in Xcode's form.
    init(_ element: SourceElement) {
        self.init(element.name, element.attributesByName.map { ($0.key, $0.value) })
        let order = SourceOrder.attributes[name] ?? []
        attributes.sort { one, two in
            (order.firstIndex(of: one.name) ?? order.count, one.name)
                < (order.firstIndex(of: two.name) ?? order.count, two.name)
        }
        contents = element.children.map { .element(SourceTree($0)) }
    }
}
