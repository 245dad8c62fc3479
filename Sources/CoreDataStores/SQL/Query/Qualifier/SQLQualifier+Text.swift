// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLQualifier {
    /// A test of two texts. It is false for missing values and for values that are no texts.
    func text(
        _ test: SQLComparisonTest, _ kind: SQLTextTest, _ left: SQLSide, _ right: SQLSide
    ) throws -> SQLCondition {
        if case .matches = kind, case .constant(let pattern as String) = right {
            try checkPattern(pattern, test)
        }
        guard let left = try text(left, test), let right = try text(right, test) else { return .constant(false) }
        if test.options.isEmpty, case .value(.text(let constant)) = right {
            switch kind {
            case .beginsWith: return Self.begins(left, with: constant)
            case .contains: return .comparison(.call(.position, [left, right]), .greater, .integer(0))
            default: break
            }
        }
        return .text(kind, left, right, test.options, isNegated: false)
    }

    /// The condition that a text has a prefix, as a range of texts, for which the engine may use an index.
    private static func begins(_ value: SQLExpression, with prefix: String) -> SQLCondition {
        let from = SQLCondition.comparison(value, .greaterOrEqual, .value(.text(prefix)))
        guard let end = end(of: prefix) else { return from }
        return .conjunction([from, .comparison(value, .less, .value(.text(end)))])
    }

    /// The first text, in the order of bytes, after all texts with the prefix; nil if there is none.
    private static func end(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The surrogates follow U+D7FF; they are no characters.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
        return nil
    }

    /// A side as text; nil if it has none.
    private func text(_ side: SQLSide, _ test: SQLComparisonTest) throws -> SQLExpression? {
        switch side {
        case .constant(let constant):
            switch constant {
            case let string as String: return .value(.text(string))
            case let url as URL: return .value(.text(url.absoluteString))
            case let uuid as UUID: return .value(.text(uuid.uuidString))
            default: return nil
            }
        case .operand(let operand):
            if case .opaque(let reason) = operand.kind { throw test.unsupported(reason) }
            return asText(operand)
        case .collection, .list, .operation, .fetched:
            throw Self.collectionError(test)
        }
    }

    private func checkPattern(_ pattern: String, _ test: SQLComparisonTest) throws {
        do {
            _ = try Strings.regularExpression(pattern, test.options)
        } catch {
            throw test.unsupported("\u{201c}\(pattern)\u{201d} isn\u{2019}t a regular expression")
        }
    }
}
