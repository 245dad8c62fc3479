// SPDX-License-Identifier: Apache-2.0

extension SourceRewriter {
    /// The optional methods of the framework's protocols, which have default implementations here.
    private static let frameworkMethods: Set<String> = ["controllerWillChangeContent", "controllerDidChangeContent"]
    /// The first labels after the controller of the delegate methods that are called `controller`.
    private static let controllerLabels: Set<String> = [
        "didChange", "didChangeContentWith", "sectionIndexTitleForSectionName",
    ]

    /// Removes the second question mark of `delegate?.method?(…)`, if a protocol declares the method as optional.
    mutating func rewriteOptionalCall(at index: Int) {
        guard isWritten("?", at: index), isWritten("(", at: index + 1), index >= 2,
            !source.tokens[index + 1].followsSpace, !source.tokens[index].followsSpace,
            isWritten(".", at: index - 2), source.tokens[index - 1].kind != .punctuation
        else { return }
        let name = source.name(source.tokens[index - 1])
        let isOfFramework =
            Self.frameworkMethods.contains(name) || name == "controller" && isControllerCall(at: index + 1)
        guard isOfFramework || optionalMethodNames.contains(name) else { return }
        replace(source.tokens[index].start..<source.tokens[index].end, "")
    }

    private func isControllerCall(at open: Int) -> Bool {
        let end = source.endOfBalanced(from: open)
        return (open..<end).contains { position in
            isWritten(":", at: position + 1) && Self.controllerLabels.contains(source.name(source.tokens[position]))
        }
    }

    /// Declares the optional members of the file's protocols as required ones, with default implementations.
    mutating func expandOptionalMembers() {
        for member in file.members where member.scope.isProtocol {
            guard let mark = member.marks.first(where: { $0.name == "optional" }) else { continue }
            remove(mark.range)
            guard let implementation = defaultImplementation(of: member) else {
                diagnose(
                    at: member.nameRange.lowerBound,
                    """
                    the optional member '\(member.fullName)' can't have a default implementation on Linux: declare its \
                    type as optional, or move the member to a protocol of its own that the delegate may adopt
                    """)
                continue
            }
            let type = member.scope.path.map(SwiftName.spelled).joined(separator: ".")
            appended += "\(access(of: member))extension \(type) { \(implementation) }\n"
        }
    }

    private func access(of member: DeclaredMember) -> String {
        let type = resolver.own.type(at: member.scope.path, from: source)
        return type.map { $0.access >= .package ? "public " : $0.access.isPrivate ? "fileprivate " : "" } ?? ""
    }

    private func defaultImplementation(of member: DeclaredMember) -> String? {
        let signature = source.text(inOffsets: member.keywordOffset..<member.signatureEnd)
        switch member.kind {
        case .method(let method):
            let isOptional = signature.hasSuffix("?")
            return method.returnsValue && !isOptional ? nil : "\(signature) { \(method.returnsValue ? "nil" : "") }"
        case .property(let property):
            guard let type = property.typeText, type.hasSuffix("?") else { return nil }
            return "\(signature) { \(property.isSettable ? "get { nil } set {}" : "nil") }"
        }
    }
}
