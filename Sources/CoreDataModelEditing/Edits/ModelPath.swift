// SPDX-License-Identifier: Apache-2.0

/// The place of an element in a model: the names of the elements that contain it. A name stays right when another
/// window adds elements before it.
package struct ModelPath: Hashable, Sendable {
    /// One element among the children of its parent.
    package struct Step: Hashable, Sendable {
        /// The name of the element's kind, such as `entity`.
        package let kind: String
        /// The value of its attribute `name`; nil for kinds without names.
        package let name: String?
        /// Its position among the children of its kind, for kinds without names.
        let index: Int

        init(_ kind: String, _ name: String?, index: Int = 0) {
            self.kind = kind
            self.name = name
            self.index = index
        }
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    package static let model = ModelPath()
    package static func entity(_ name: String) -> ModelPath { ModelPath([Step("entity", name)]) }

    /// The path of a child.
    package func child(_ kind: String, _ name: String) -> ModelPath { ModelPath(steps + [Step(kind, name)]) }
    func child(_ kind: String, index: Int = 0) -> ModelPath {
        ModelPath(steps + [Step(kind, nil, index: index)])
    }

    var last: Step? { steps.last }
    /// The kind of the element; `model` for the root.
    package var kind: String { steps.last?.kind ?? "model" }
    package var name: String? { steps.last?.name }
    package var parent: ModelPath { ModelPath(Array(steps.dropLast())) }
    /// The entity that contains the element, or is it.
    package var entityName: String? { steps.first?.kind == "entity" ? steps.first?.name : nil }

    // MARK: Text

    /// The path as text: `entity:Song/attribute:title`. Slashes, colons and per cent signs in names are escaped.
    package var text: String {
        steps.map { step in
            step.name.map { "\(step.kind):\(Self.escaped($0))" } ?? "\(step.kind)@\(step.index)"
        }.joined(separator: "/")
    }

    /// Reads the text of a path; nil if the text is no path.
    package init?(_ text: String) {
        steps = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) where !text.isEmpty {
            if let colon = part.firstIndex(of: ":") {
                guard let name = String(part[part.index(after: colon)...]).removingPercentEncoding else { return nil }
                steps.append(Step(String(part[..<colon]), name))
            } else {
                let sides = part.split(separator: "@", omittingEmptySubsequences: false)
                guard sides.count == 2, let index = Int(sides[1]), index >= 0 else { return nil }
                steps.append(Step(String(sides[0]), nil, index: index))
            }
        }
    }

    private static func escaped(_ name: String) -> String {
        name.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "/", with: "%2F")
            .replacingOccurrences(of: ":", with: "%3A")
    }
}

extension SourceTree {
    /// The position of a step's element among the children.
    func index(of step: ModelPath.Step) -> Int? {
        guard step.name == nil else {
            return childIndex { $0.name == step.kind && $0["name"] == step.name }
        }
        var number = -1
        return childIndex { child in
            if child.name == step.kind { number += 1 }
            return child.name == step.kind && number == step.index
        }
    }

    private func child(at step: ModelPath.Step) -> SourceTree? {
        var number = -1
        for content in contents {
            guard case .element(let child) = content, child.name == step.kind else { continue }
            number += 1
            if step.name == nil ? number == step.index : child["name"] == step.name { return child }
        }
        return nil
    }

    /// The element at a path.
    package func element(at path: ModelPath) -> SourceTree? {
        var element = self
        for step in path.steps {
            guard let child = element.child(at: step) else { return nil }
            element = child
        }
        return element
    }

    /// Changes the element at a path.
    ///
    /// - Throws: `ModelEditError` if it isn't there.
    mutating func update<Result>(
        at path: ModelPath, _ body: (inout SourceTree) throws -> Result
    ) throws -> Result {
        guard let step = path.steps.first else { return try body(&self) }
        guard let index = index(of: step) else { throw ModelEditError.missing(path) }
        return try updateChild(at: index) { child in
            try child.update(at: ModelPath(Array(path.steps.dropFirst())), body)
        }
    }
}
