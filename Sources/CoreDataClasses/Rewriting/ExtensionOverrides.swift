// SPDX-License-Identifier: Apache-2.0

/// The overrides in extensions of classes. The compiler allows them in the body of the class only, unless they have a
/// name in Objective-C.
///
/// The code of such a member stays in its extension, under another name. The class gets a member that calls it. Members
/// of extensions that a subclass overrides are treated in the same way.
struct ExtensionOverrides {
    /// A member that gets another name.
    struct Renamed {
        let member: DeclaredMember
        let newName: String
    }

    private var renamed: [ObjectIdentifier: [Renamed]] = [:]
    private var calls: [ObjectIdentifier: [(offset: Int, text: String)]] = [:]
    /// The overrides that can't be moved.
    private(set) var diagnostics: [SourceDiagnostic] = []

    /// - Parameters:
    ///   - compiled: the files that are compiled unchanged.
    ///   - rewritten: the files that are compiled as copies.
    init(index: ModuleIndex, compiled: [FileDeclarations], rewritten: [FileDeclarations]) {
        let unchanged = Set(compiled.map { ObjectIdentifier($0.source) })
        let overridden = Set(
            index.files.lazy.flatMap(\.members).filter(\.isOverride).map { Signature(name: $0.name, labels: $0.labels) }
        )
        for file in rewritten {
            for member in file.members where member.scope.isExtension {
                let isOverridden =
                    member.isExposed && overridden.contains(Signature(name: member.name, labels: member.labels))
                guard member.isOverride || isOverridden, !member.hasMark("@NSManaged") else { continue }
                guard let type = index.type(at: member.scope.path, from: file.source), type.kind == .class else {
                    // Members of protocols and structures aren't overridden.
                    if member.isOverride && member.scope.conditions.isEmpty {
                        diagnostics.append(Self.report(of: member, in: index))
                    }
                    continue
                }
                move(member, to: type, isUnchanged: unchanged.contains(ObjectIdentifier(type.source)))
            }
        }
    }

    /// Why an override in an extension can't be compiled, and what helps.
    static func report(of member: DeclaredMember, in index: ModuleIndex) -> SourceDiagnostic {
        let problem = "the compiler on Linux refuses an override in an extension"
        let remedy =
            index.type(at: member.scope.path, from: member.source)?.kind == .class
            ? "\(ForeignUse.exclusion), or move '\(member.fullName)' into the body of the class"
            : """
            another module declares \(member.scope.path.joined(separator: ".")), so it can't be moved into the body of \
            its class. Override '\(member.fullName)' in a subclass, or put it between '#if canImport(ObjectiveC)' and \
            '#endif'
            """
        return member.source.diagnostic(at: member.nameRange.lowerBound, "\(problem): \(remedy)")
    }

    private struct Signature: Hashable {
        let name: String
        let labels: [String?]?
    }

    /// The members of a file that get other names.
    func renamed(in source: LexedSource) -> [Renamed] { renamed[ObjectIdentifier(source)] ?? [] }

    /// The members to add to the classes of a file, each with its position.
    func additions(to source: LexedSource) -> [(offset: Int, text: String)] { calls[ObjectIdentifier(source)] ?? [] }

    private mutating func refuse(_ member: DeclaredMember, _ reason: String) {
        diagnostics.append(
            member.source.diagnostic(
                at: member.nameRange.lowerBound,
                "the override of '\(member.fullName)' can't be moved into the body of its class: \(reason)"))
    }

    private mutating func move(_ member: DeclaredMember, to type: DeclaredType, isUnchanged: Bool) {
        let name = type.path.joined(separator: ".")
        guard !isUnchanged, let end = type.bodyEnd else {
            if member.isOverride {
                let file = type.source.source.fileName
                refuse(
                    member, "\(name) is in \(file), which is compiled unchanged. Exclude \(file) in Package.swift too")
            }
            return
        }
        if type.isGeneric { return refuse(member, "\(name) is generic. Write the override into its body") }
        let newName = "_\(SwiftName.part(type.path.joined(separator: "_")))_\(SwiftName.part(member.name))"
        guard let text = call(of: newName, for: member) else {
            return refuse(member, "it has observers, or parameters that can't be passed on. Write it into the class")
        }
        renamed[ObjectIdentifier(member.source), default: []].append(Renamed(member: member, newName: newName))
        let conditions = member.scope.conditions
        let lines =
            conditions.isEmpty
            ? " \(text) "
            : "\n" + conditions.map { "#if \($0)\n" }.joined() + text + "\n"
                + conditions.map { _ in "#endif\n" }.joined()
        // After a condition, the lines would be counted wrongly.
        let (line, _) = type.source.position(of: end)
        let location = "#sourceLocation(file: \(SwiftName.literal(type.source.source.path)), line: \(line))\n"
        calls[ObjectIdentifier(type.source), default: []].append(
            (end, conditions.isEmpty ? lines : lines + location))
    }

    /// The attributes and modifiers that the member of the class doesn't take over.
    private static let dropped: Set<String> = ["@objc", "@nonobjc", "@IBAction", "dynamic", "private", "fileprivate"]

    /// The member of the class that calls the renamed one; nil if there is no such form.
    private func call(of newName: String, for member: DeclaredMember) -> String? {
        let source = member.source
        var marks = member.marks.filter { !Self.dropped.contains($0.name) }.map { source.text($0.range) }
        if !member.marks.contains(where: { DeclaredAccess(modifier: $0.name) != nil }), member.access >= .package {
            marks.insert("\(member.access)", at: 0)
        }
        let signature = source.text(inOffsets: member.keywordOffset..<member.signatureEnd)
        let head = (marks + [signature]).joined(separator: " ")
        switch member.kind {
        case .property(let property):
            guard !property.isUnusual, property.isComputed, property.typeText != nil else { return nil }
            return property.isSettable
                ? "\(head) { get { \(newName) } set { \(newName) = newValue } };" : "\(head) { \(newName) };"
        case .method(let method):
            guard let arguments = arguments(of: method) else { return nil }
            let effects = (method.canThrow ? "try " : "") + (method.isAsync ? "await " : "")
            return "\(head) { \(effects)\(newName)(\(arguments)) };"
        }
    }

    private func arguments(of method: DeclaredMember.Method) -> String? {
        var arguments: [String] = []
        for parameter in method.parameters {
            guard parameter.name != "_", !parameter.isVariadic else { return nil }
            let value = (parameter.typeText.hasPrefix("inout ") ? "&" : "") + parameter.name
            arguments.append((parameter.label.map { "\(SwiftName.spelled($0)): " } ?? "") + value)
        }
        return arguments.joined(separator: ", ")
    }
}
