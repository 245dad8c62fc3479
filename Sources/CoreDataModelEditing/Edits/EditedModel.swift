// SPDX-License-Identifier: Apache-2.0

/// The meaning of a tree: its model, its text, and its problems.
// Unchecked: pages read the model, and none changes it.
package struct EditedModel: @unchecked Sendable {
    /// The model; nil if the tree has an error that no reader accepts.
    package let model: NSManagedObjectModel?
    /// Errors and warnings, as `coredata model lint` finds them, with the quotation marks of pages.
    package let findings: [ModelFinding]

    /// The model before the first check.
    package static let unread = EditedModel()

    private init() {
        model = nil
        findings = []
    }

    /// - Parameters:
    ///   - root: the tree of the model.
    ///   - isText: whether the tree comes from the text notation.
    package init(_ root: SourceTree, isText: Bool) {
        let element = SourceTreeDocument.element(of: root)
        let url = URL(fileURLWithPath: "/model")
        do {
            let model = try SourceModelReader.read(element, from: url, format: isText ? .textNotation : .xml)
            self.model = model
            let spelling = isText ? [] : SourceSpellingCheck.findings(in: element)
            findings = (spelling + ModelLint.findings(in: model)).map(\.forPages)
        } catch {
            model = nil
            let userInfo = (error as? CocoaError)?.userInfo ?? [:]
            let first = ModelFinding(
                .error, .type, entity: userInfo[ModelFileError.entityKey] as? String,
                key: userInfo[ModelFileError.keyKey] as? String, CompilerDiagnostic(error, path: "").text)
            let references = Self.references(in: root)
            let isKnown = references.contains { $0.entity == first.entity && $0.key == first.key }
            findings = (references + (isKnown ? [] : [first])).map(\.forPages)
        }
    }

    /// The text in the text notation.
    ///
    /// - Throws: `CocoaError` for a tree that is no model.
    package static func text(of root: SourceTree, isText: Bool) throws -> String {
        let element = SourceTreeDocument.element(of: root)
        if isText { return TextNotationWriter.text(element) }
        return try TextNotation.text(of: SourceModelReader.read(element, from: URL(fileURLWithPath: "/model")))
    }

    /// The text of this model.
    ///
    /// - Parameter root: its tree.
    /// - Throws: `CocoaError` for a tree that is no model.
    package func text(of root: SourceTree, isText: Bool) throws -> String {
        guard !isText, let model else { return try Self.text(of: root, isText: isText) }
        return try TextNotation.text(of: model)
    }

    /// Reads the text of a file in the text notation as a tree.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file, line and column.
    package static func tree(ofText data: Data, from url: URL) throws -> SourceTree {
        try SourceTreeDocument.refuseConflict(in: data, from: url)
        let element = try TextNotation.element(data, from: url)
        _ = try SourceModelReader.read(element, from: url, format: .textNotation)
        return SourceTree(element)
    }

    /// The lines of the statements in a text, by the paths of their elements.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) for a text that can't be read.
    package static func statementLines(ofText data: Data) throws -> [String: Int] {
        var lines: [String: Int] = [:]
        func walk(_ element: SourceElement, _ path: String) {
            var counts: [String: Int] = [:]
            for child in element.children {
                counts[child.name, default: 0] += 1
                let key = child["name"] ?? child["key"] ?? child["value"] ?? "@\(counts[child.name] ?? 0)"
                let place = "\(path)/\(child.name):\(key)"
                if child.line > 0 { lines[place] = child.line }
                walk(child, place)
            }
        }
        walk(try TextNotation.element(data, from: URL(fileURLWithPath: "/text.coredata")), "")
        return lines
    }

    /// All references that lead nowhere. A reader stops at the first.
    private static func references(in root: SourceTree) -> [ModelFinding] {
        let entities = root.children(named: "entity")
        let names = Set(entities.compactMap { $0["name"] })
        var found: [ModelFinding] = []
        for entity in entities {
            let name = entity["name"] ?? ""
            if let parent = entity["parentEntity"], !names.contains(parent) {
                found.append(
                    ModelFinding(
                        .error, .abstract, entity: name, "the parent '\(parent)' of \(name) is not in the model"))
            }
            for relationship in entity.children(named: "relationship") {
                let key = relationship["name"] ?? ""
                guard let destination = relationship["destinationEntity"] else {
                    found.append(
                        ModelFinding(.error, .inverse, entity: name, key: key, "\(name).\(key) needs a destination"))
                    continue
                }
                guard !names.contains(destination) else { continue }
                found.append(
                    ModelFinding(
                        .error, .inverse, entity: name, key: key,
                        "the destination '\(destination)' of \(name).\(key) is not in the model"))
            }
        }
        return found
    }
}

extension ModelFinding {
    /// The finding as pages write it: names between ‘ and ’. Compilers, and so `coredata model lint`, write '.
    fileprivate var forPages: ModelFinding {
        // An apostrophe stands beside a letter; a mark at a name does not stand beside another word.
        let text = message.replacingOccurrences(
            of: #"(?<![\p{L}\p{N}])'([^'\n]*)'(?![\p{L}\p{N}])"#, with: "‘$1’", options: .regularExpression)
        return ModelFinding(severity, kind, entity: entity, key: key, line: line, text)
    }
}
