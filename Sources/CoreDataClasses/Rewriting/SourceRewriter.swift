// SPDX-License-Identifier: Apache-2.0

/// Makes a copy of a source, with the same lines, that a compiler without Objective-C accepts.
///
/// It removes attributes of Objective-C, except the name of a class with macros, replaces `#keyPath` by strings and
/// `#selector` by selectors that call the method, adds bodies to `@NSManaged` properties and methods in the lines of
/// their declarations, adds `required` to initializers that the framework requires, moves overrides from extensions
/// into their classes, and gives optional methods of protocols default implementations.
struct SourceRewriter {
    let file: FileDeclarations
    private let managed: ManagedDeclarations
    let resolver: TypeResolver
    private var edits: [(range: Range<Int>, text: String)] = []
    private(set) var diagnostics: [SourceDiagnostic]
    /// The end of the last removed attribute or cast: its contents aren't rewritten.
    var skippedEnd = 0
    /// Whether the copy needs names that CoreData declares.
    var usesFramework = false
    /// The text that is added behind the text of the file.
    var appended = ""
    let optionalMethodNames: Set<String>
    private let overrides: ExtensionOverrides
    /// The positions of `@objc(Name)` of classes with macros. A macro may demand the name, so it stays in the form that
    /// the compiler accepts.
    private let keptNames: Set<Int>

    var source: LexedSource { file.source }

    /// - Parameter optionalMethodNames: the names of the optional methods of all protocols of the module.
    init(
        _ file: FileDeclarations, resolver: TypeResolver, overrides: ExtensionOverrides,
        optionalMethodNames: Set<String>
    ) {
        self.file = file
        self.resolver = resolver
        self.overrides = overrides
        self.optionalMethodNames = optionalMethodNames
        keptNames = Set(
            file.types.lazy.filter { $0.kind == .class && $0.hasMacro && $0.objectiveCName != nil }.compactMap { type in
                type.marks.first { $0.name == "@objc" && $0.argument != nil }?.range.lowerBound
            })
        managed = ManagedDeclarations(file)
        diagnostics = managed.diagnostics
    }

    mutating func replace(_ range: Range<Int>, _ text: String) { edits.append((range, text)) }

    mutating func diagnose(at offset: Int, _ message: String) {
        diagnostics.append(source.diagnostic(at: offset, message))
    }

    /// The text of the copy. A `#sourceLocation` gives the compiler the path of the original.
    mutating func text() -> String {
        rewriteTokens()
        for declaration in managed.variables { expand(declaration) }
        for function in managed.functions { expand(function) }
        for initializer in file.initializers where initializer.scope.isClass && !initializer.isGeneric {
            require(initializer)
        }
        bindProtocolsToClasses()
        expandOptionalMembers()
        moveOverrides()
        closeExtensionMembers()
        rewriteImports()
        let isMarked = source.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let importsFramework = file.imports.contains(where: \.isOfFramework)
        return (usesFramework && !importsFramework ? "import CoreData\n" : "")
            + "#sourceLocation(file: \(SwiftName.literal(source.source.path)), line: 1)\n"
            + edited(from: isMarked ? 3 : 0) + appended
    }

    /// Only classes adopt an `@objc` protocol, so that a variable of it can be weak. In the copy the protocol says so.
    private mutating func bindProtocolsToClasses() {
        for type in file.types where type.kind == .protocol && type.marks.contains(where: { $0.name == "@objc" }) {
            let bound: Set<String?> = ["AnyObject", "NSObjectProtocol", "NSObject"]
            if type.inherited.contains(where: { bound.contains($0.simpleName) }) { continue }
            if let first = type.firstInheritedRange?.lowerBound {
                replace(first..<first, "AnyObject, ")
            } else if let end = source.tokens.first(where: { $0.start == type.offset })?.end {
                replace(end..<end, ": AnyObject")
            }
        }
    }

    private mutating func moveOverrides() {
        for renamed in overrides.renamed(in: source) {
            let member = renamed.member
            // An override has the isolation of the overridden member. The renamed member would have the module's
            // default.
            let keepsIsolation = isOverrideOfManagedObject(member) && !isIsolated(member)
            for mark in member.marks where mark.name == "override" {
                if keepsIsolation { replace(mark.range, "nonisolated") } else { remove(mark.range) }
            }
            replace(renamed.member.nameRange, renamed.newName)
        }
        for addition in overrides.additions(to: source) {
            replace(addition.offset..<addition.offset, addition.text)
        }
    }

    private func isOverrideOfManagedObject(_ member: DeclaredMember) -> Bool {
        guard member.isOverride, let type = resolver.own.type(at: member.scope.path, from: source) else { return false }
        return resolver.inheritsFromManagedObject(type, in: resolver.own)
    }

    /// Whether a member says where it is isolated.
    private func isIsolated(_ member: DeclaredMember) -> Bool {
        member.marks.contains { $0.name == "nonisolated" || $0.name.hasSuffix("Actor") }
    }

    /// `open` members of extensions become public: without `@objc` they can't be overridden.
    private mutating func closeExtensionMembers() {
        for member in file.members where member.scope.isExtension {
            for mark in member.marks where mark.name == "open" { replace(mark.range, "public") }
        }
    }

    /// `import CoreData.CoreDataDefines` becomes `import CoreData`, which has no submodules here.
    private mutating func rewriteImports() {
        for declaration in file.imports where declaration.module == "CoreData" {
            if let range = declaration.submoduleRange { replace(range, "") }
        }
    }

    private func edited(from start: Int) -> String {
        var result: [UInt8] = []
        var position = start
        for edit in edits.sorted(by: {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }) {
            // A change inside of a replaced range is dropped.
            guard edit.range.lowerBound >= position else { continue }
            result += source.bytes[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        result += source.bytes[position...]
        if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Removes a range and the spaces after it.
    mutating func remove(_ range: Range<Int>) {
        var end = range.upperBound
        while end < source.bytes.count,
            source.bytes[end] == UInt8(ascii: " ") || source.bytes[end] == UInt8(ascii: "\t")
        { end += 1 }
        replace(range.lowerBound..<end, lineBreaks(in: range))
    }

    /// The line breaks in a range, which its replacement must contain.
    func lineBreaks(in range: Range<Int>) -> String {
        String(repeating: "\n", count: source.bytes[range].count { $0 == UInt8(ascii: "\n") })
    }

    // MARK: Tokens

    private mutating func rewriteTokens() {
        for use in source.foreignUses() where source.tokens[use.index].start >= skippedEnd { rewrite(use) }
        for (index, token) in source.tokens.enumerated() {
            switch token.kind {
            case .operatorCharacter where source.isWritten(token, "?"): rewriteOptionalCall(at: index)
            case .identifier: findFoundationName(at: index)
            default: break
            }
        }
    }

    private mutating func rewrite(_ use: ForeignUse) {
        switch use.kind {
        case .attribute: rewriteAttribute(at: use.index)
        case .keyPath: rewriteKeyPath(at: use.index)
        case .selector: rewriteSelector(at: use.index)
        case .foundationName:
            replace(source.tokens[use.index].start..<source.tokens[use.index + 2].start, "")
            usesFramework = true
        case .requestCast: rewriteCast(at: use.index)
        case .requestPattern, .controllerCast:
            let (problem, remedy) = use.explanation(in: source)
            diagnose(at: source.tokens[use.index].start, remedy.map { "\(problem): \($0)" } ?? problem)
        }
    }

    /// Finds a name of Foundation on Apple's platforms that CoreData declares here.
    private mutating func findFoundationName(at index: Int) {
        let name = source.text(source.tokens[index])
        guard FoundationNames.missing.contains(name) || name == "NSSelectorFromString" else { return }
        if !isWritten(".", at: index - 1) { usesFramework = true }
    }

    func isWritten(_ text: StaticString, at index: Int) -> Bool { source.isWritten(text, at: index) }

    private mutating func rewriteAttribute(at index: Int) {
        let start = source.tokens[index].start
        var end = index + 2
        if isWritten("(", at: end), !source.tokens[end].followsSpace { end = source.endOfBalanced(from: end) }
        skippedEnd = source.tokens[end - 1].end
        if keptNames.contains(start) {
            replace(start..<source.tokens[index + 1].end, "@_objcRuntimeName")
        } else {
            remove(start..<skippedEnd)
        }
    }

    // MARK: Initializers

    /// Adds `required` to an initializer that is required in the framework.
    private mutating func require(_ initializer: DeclaredInitializer) {
        let isDesignated = initializer.labels == ["entity", "insertInto"]
        let isOfContext =
            initializer.labels == ["context"] && initializer.typeTexts[0].hasSuffix("NSManagedObjectContext")
        guard isDesignated || isOfContext else { return }
        let overriding = initializer.marks.first { $0.name == "override" }
        let isRequired = initializer.marks.contains { $0.name == "required" }
        guard overriding != nil || isOfContext else { return }
        if isRequired {
            if let overriding { remove(overriding.range) }
            return
        }
        if let overriding {
            replace(overriding.range, "required")
        } else {
            replace(initializer.keywordOffset..<initializer.keywordOffset, "required ")
        }
        // A required initializer must be as accessible as its class.
        for mark in initializer.marks where mark.name == "private" || mark.name == "fileprivate" { remove(mark.range) }
    }
}
