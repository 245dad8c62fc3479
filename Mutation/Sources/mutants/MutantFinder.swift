import SwiftSyntax

/// Finds the places of a source that can be mutated:
///
/// - a condition is always true, or always false;
/// - an operand of `&&` and `||`, and an element of a list of conditions, is left out;
/// - an optional binding or a pattern doesn't match;
/// - a case of a switch with a default doesn't match;
/// - a comparison has the opposite result, and `<` includes or excludes equality;
/// - a `!` is left out, a literal `true` or `false` is the other one, an added or subtracted number is zero;
/// - a statement is left out.
final class MutantFinder: SyntaxVisitor {
    private let locations: SourceLocationConverter
    private let refused: Set<Int>
    private var number: Int
    private var declarations: [String] = []
    /// Conditions, whose operators need no mutants of their own.
    private var conditions: Set<SyntaxIdentifier> = []
    /// The local variables that get their first value from a statement.
    private var uninitialized: Set<String> = []
    private(set) var mutants: [Mutant] = []
    private(set) var insertions: [Insertion] = []

    init(locations: SourceLocationConverter, firstNumber: Int, refused: Set<Int>) {
        self.locations = locations
        self.refused = refused
        number = firstNumber
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Mutants

    /// Records a mutant.
    ///
    /// - Returns: its number.
    private func add(_ change: String, _ node: some SyntaxProtocol, text: String? = nil) -> Int? {
        let words = (text ?? node.trimmedDescription).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        defer { number += 1 }
        mutants.append(
            Mutant(
                number: number, line: node.startLocation(converter: locations).line,
                declaration: declarations.filter { !$0.isEmpty }.joined(separator: "."), change: change,
                text: words.count > 120 ? words.prefix(117) + "..." : words))
        return refused.contains(number) ? nil : number
    }

    private func wrap(_ node: some SyntaxProtocol, _ before: String, _ after: String) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        insertions.append(Insertion(offset: start, rank: .begin(end: end), text: before))
        insertions.append(Insertion(offset: end, rank: .end(start: start), text: after))
    }

    private func replace(_ token: TokenSyntax, by text: String) {
        let start = token.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = token.endPositionBeforeTrailingTrivia.utf8Offset
        insertions.append(Insertion(offset: start, rank: .begin(end: end), text: text, length: end - start))
    }

    /// Makes a condition always true, and always false.
    private func force(_ condition: ExprSyntax, isOperand: Bool = false) {
        let condition = Self.unwrapped(condition)
        guard conditions.insert(condition.id).inserted else { return }
        if let operation = condition.as(InfixOperatorExprSyntax.self), let name = Self.name(of: operation),
            name == "&&" || name == "||"
        {
            // The whole is false if the left operand of && is.
            let mutant = isOperand ? nil : add(name == "&&" ? "is always false" : "is always true", condition)
            if let mutant { wrap(condition, "mutated(\(mutant), \(name == "||"), ", ")") }
            operands(of: operation, name)
        } else {
            if let mutant = add("is always true", condition) { wrap(condition, "mutated(\(mutant), true, ", ")") }
            if let mutant = add("is always false", condition) { wrap(condition, "mutated(\(mutant), false, ", ")") }
        }
    }

    /// Leaves out each operand of `&&` or `||`.
    private func operands(of operation: InfixOperatorExprSyntax, _ name: String) {
        for operand in [operation.leftOperand, operation.rightOperand].map(Self.unwrapped) {
            guard conditions.insert(operand.id).inserted else { continue }
            if let inner = operand.as(InfixOperatorExprSyntax.self), Self.name(of: inner) == name {
                operands(of: inner, name)
                continue
            }
            if let mutant = add("operand of \(name) is left out", operand) {
                wrap(operand, "mutated(\(mutant), \(name == "&&"), ", ")")
            }
            if let inner = operand.as(InfixOperatorExprSyntax.self), let name = Self.name(of: inner),
                name == "&&" || name == "||"
            {
                operands(of: inner, name)
            }
        }
    }

    private static func unwrapped(_ expression: ExprSyntax) -> ExprSyntax {
        guard let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let element = tuple.elements.first, element.label == nil
        else { return expression }
        return unwrapped(element.expression)
    }

    private static func name(of operation: InfixOperatorExprSyntax) -> String? {
        operation.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        switch node.condition {
        case .expression(let expression): force(expression)
        case .optionalBinding, .matchingPattern:
            if let mutant = add("doesn't match", node.condition) { wrap(node.condition, "!mutant(\(mutant)), ", "") }
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        force(node.condition)
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        force(node.condition)
        return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        guard cases.contains(where: { $0.label.is(SwitchDefaultLabelSyntax.self) }) else { return .visitChildren }
        for item in cases.compactMap({ $0.label.as(SwitchCaseLabelSyntax.self) }).flatMap(\.caseItems)
        where item.whereClause == nil {
            if let mutant = add("doesn't match", item.pattern) { wrap(item.pattern, "", " where !mutant(\(mutant))") }
        }
        return .visitChildren
    }

    // MARK: Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = Self.name(of: node) else { return .visitChildren }
        switch name {
        case "&&", "||":
            if conditions.insert(node.id).inserted { operands(of: node, name) }
        case "==", "!=", "===", "!==":
            guard !conditions.contains(node.id) else { break }
            if let mutant = add("is negated", node) { wrap(node, "flipped(\(mutant), ", ")") }
        case "<", "<=", ">", ">=":
            if !conditions.contains(node.id), let mutant = add("is negated", node) {
                wrap(node, "flipped(\(mutant), ", ")")
            }
            guard let mutant = add(name.count == 1 ? "includes equality" : "excludes equality", node) else { break }
            wrap(node, "mutatedComparison(\(mutant), ", ")")
            if let token = node.operator.as(BinaryOperatorExprSyntax.self)?.operator {
                replace(token, by: ", \"\(name)\",")
            }
        case "+", "-", "&+", "&-":
            guard node.rightOperand.is(IntegerLiteralExprSyntax.self) else { break }
            if let mutant = add("the added number is zero", node) {
                wrap(node.rightOperand, "mutatedNumber(\(mutant), ", ")")
            }
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.operator.text == "!", !conditions.contains(node.id) else { return .visitChildren }
        if let mutant = add("! is left out", node) { wrap(node, "flipped(\(mutant), ", ")") }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(ExpressionPatternSyntax.self) != true else { return .visitChildren }
        let context = node.parent.map { $0.trimmedDescription } ?? ""
        if let mutant = add("is the other one", node, text: "\(node.literal.text) in \(context)") {
            wrap(node, "flipped(\(mutant), ", ")")
        }
        return .visitChildren
    }

    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        for item in node where isDroppable(item, isOnly: node.count == 1, in: node.parent) {
            if let mutant = add("is left out", item) { wrap(item.item, "if !mutant(\(mutant)) { ", " }") }
        }
        return .visitChildren
    }

    /// Whether a source without the statement compiles, as far as the syntax says, and means something else.
    private func isDroppable(_ item: CodeBlockItemSyntax, isOnly: Bool, in parent: Syntax?) -> Bool {
        // A branch with one statement is left out when its condition is false.
        if isOnly, let conditional = parent?.parent?.as(IfExprSyntax.self), conditional.elseBody == nil { return false }
        if item.item.is(ContinueStmtSyntax.self) || item.item.is(BreakStmtSyntax.self) {
            return parent?.parent?.is(GuardStmtSyntax.self) != true && parent?.is(SwitchCaseSyntax.self) != true
        }
        guard var expression = item.item.as(ExprSyntax.self) else { return false }
        if let marked = expression.as(TryExprSyntax.self) { expression = marked.expression }
        if let operation = expression.as(InfixOperatorExprSyntax.self) {
            let isAssignment = operation.operator.is(AssignmentExprSyntax.self)
            // The first value of a property or variable can't be left out.
            if isAssignment, isInInitializer(item) || uninitialized.contains(operation.leftOperand.trimmedDescription) {
                return false
            }
            let comparisons = ["==", "===", "<=", ">=", "!=", "!=="]
            let isChange = Self.name(of: operation).map { $0.hasSuffix("=") && !comparisons.contains($0) }
            return isAssignment || isChange == true
        }
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        // The result of a body of one expression is its value, unless the body says that it has none.
        guard isOnly else { return !["fatalError", "preconditionFailure"].contains(call.calledExpression.description) }
        if let function = parent?.parent?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause == nil
        }
        return parent?.is(ClosureExprSyntax.self) != true && parent?.is(AccessorBlockSyntax.self) != true
            && parent?.is(SwitchCaseSyntax.self) != true && parent?.parent?.is(GuardStmtSyntax.self) != true
            && parent?.parent?.is(IfExprSyntax.self) != true
    }

    private func isInInitializer(_ item: CodeBlockItemSyntax) -> Bool {
        var node = item.parent
        while let current = node {
            if current.is(InitializerDeclSyntax.self) { return true }
            if current.is(FunctionDeclSyntax.self) || current.is(ClosureExprSyntax.self) { return false }
            node = current.parent
        }
        return false
    }

    // MARK: Declarations

    private func begin(_ name: String) -> SyntaxVisitorContinueKind {
        declarations.append(name)
        return .visitChildren
    }

    private func end() { declarations.removeLast() }

    private func signature(_ name: String, _ parameters: FunctionParameterClauseSyntax) -> String {
        "\(name)(\(parameters.parameters.map { "\($0.firstName.text):" }.joined()))"
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { begin(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { end() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { begin(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { end() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { begin(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { end() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        begin(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { end() }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        begin(signature(node.name.text, node.signature.parameterClause))
    }
    override func visitPost(_ node: FunctionDeclSyntax) { end() }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        begin(signature("init", node.signature.parameterClause))
    }
    override func visitPost(_ node: InitializerDeclSyntax) { end() }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        // Local variables belong to their function.
        for binding in node.bindings where binding.initializer == nil && binding.accessorBlock == nil {
            let isOptional = binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
            if node.bindingSpecifier.text == "let" || !isOptional {
                uninitialized.insert(binding.pattern.trimmedDescription)
            }
        }
        let isLocal = node.parent?.is(CodeBlockItemSyntax.self) == true && !declarations.isEmpty
        return begin(isLocal ? "" : node.bindings.first?.pattern.trimmedDescription ?? "")
    }
    override func visitPost(_ node: VariableDeclSyntax) { end() }
}
