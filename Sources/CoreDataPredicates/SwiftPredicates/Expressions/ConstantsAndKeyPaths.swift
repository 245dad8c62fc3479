// SPDX-License-Identifier: Apache-2.0

// Constants, variables and key paths.

extension PredicateExpressions.Value: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .constant(try translation.storedForm(value))
    }
}

extension PredicateExpressions.NilLiteral: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression { .constant(nil) }
}

extension PredicateExpressions.Variable: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .expression(try translation.value(of: key))
    }
}

extension PredicateExpressions.KeyPath: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        if let root = root as? PredicateExpressions.Value<Root.Output> {
            return .constant(try translation.storedForm(root.value[keyPath: keyPath]))
        }
        let root = try translation.expression(root)
        if let constant = (root.node as? ConstantNode)?.value as? Root.Output {
            return .constant(try translation.storedForm(constant[keyPath: keyPath]))
        }
        if let kind { return try collected(kind, root) }
        if let property = try translation.types?.property(keyPath, of: root) { return .expression(property) }
        if let key = SwiftKeyPaths.key(for: keyPath) { return .expression(root.appendingKeyPath(key)) }
        // Stores save the raw value of an enumeration.
        if (Root.Output.self as? any RawRepresentable.Type)?.isRawValue(keyPath) == true { return .expression(root) }
        if keyPath == \Date.timeIntervalSinceReferenceDate as AnyKeyPath {
            return .function("castObject:toType:", root, NSExpression(forConstantValue: "NSNumber"))
        }
        throw UntranslatableError("\(keyPath)")
    }

    private func collected(_ kind: CommonKeyPathKind, _ root: NSExpression) throws -> TranslatedExpression {
        let isText = Root.Output.self == String.self
        switch kind {
        case .collectionCount where isText: return .function("length:", root)
        case .collectionIsEmpty where isText:
            return .predicate(root.compared(.equalTo, NSExpression(forConstantValue: "")))
        case _ where isText || Root.Output.self == Data.self: throw UntranslatableError("\(keyPath)")
        case .collectionCount: return .expression(root.appendingKeyPath("@count"))
        case .collectionIsEmpty:
            return .predicate(
                root.appendingKeyPath("@count").compared(.equalTo, NSExpression(forConstantValue: NSNumber(value: 0))))
        case .collectionFirst:
            return .function("objectFrom:withIndex:", root, NSExpression(forConstantValue: CollectionIndex.first))
        case .bidirectionalCollectionLast:
            return .function("objectFrom:withIndex:", root, NSExpression(forConstantValue: CollectionIndex.last))
        @unknown default: throw UntranslatableError("\(keyPath)")
        }
    }
}

/// Constants in the form in which stores save them.
enum PredicateConstant {
    static func storedForm(_ value: Any) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        if type(of: value) is AnyClass { return value }
        switch value {
        case let character as Character: return String(character)
        case let text as Substring: return String(text)
        case let list as any ListValue: return list.allElements.map { storedForm($0) ?? NSNull() }
        case let raw as any RawRepresentable: return rawValue(raw) ?? value
        default: return value
        }
    }

    /// The raw value of an enumeration over numbers or strings.
    private static func rawValue<Value: RawRepresentable>(_ value: Value) -> Any? {
        let raw = value.rawValue
        return raw is String || Numbers.number(raw) != nil ? raw : nil
    }
}

extension RawRepresentable {
    /// True if a key path leads to the raw value. Equal key paths to it may compare unequal, so values of samples are
    /// compared.
    fileprivate static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
        guard let keyPath = keyPath as? KeyPath<Self, RawValue> else { return false }
        if keyPath == \Self.rawValue { return true }
        // A structure stores its raw value.
        if "\(keyPath)" == "\\\(_typeName(Self.self, qualified: false)).rawValue" { return true }
        let samples = samples
        return !samples.isEmpty && samples.allSatisfy { PredicateConstant.equal($0[keyPath: keyPath], $0.rawValue) }
    }

    /// The values of an enumeration; up to 100 of a `CaseIterable` type, or of one with integer raw values; else none.
    private static var samples: [Self] {
        let values = EnumerationMetadata.values(of: Self.self)
        if !values.isEmpty { return values }
        if let cases = (self as? any CaseIterable.Type)?.someCases as? [Self] { return cases }
        guard let raw = RawValue.self as? any FixedWidthInteger.Type else { return [] }
        return (0..<100).compactMap { (raw.init(truncatingIfNeeded: $0) as? RawValue).flatMap(Self.init(rawValue:)) }
    }
}

extension CaseIterable {
    fileprivate static var someCases: [Any] { Array(allCases.prefix(100)) }
}

extension PredicateConstant {
    fileprivate static func equal(_ one: Any, _ two: Any) -> Bool { Values.equal(one, two) }
}
