// SPDX-License-Identifier: Apache-2.0

/// The operator object of an archived comparison. Its class depends on the operator.
///
/// The classes of `<` to `!=`, `LIKE` and `CONTAINS` are known from Apple's files. `MATCHES` uses the superclass in the
/// archives of `LIKE`. The classes of `BEGINSWITH`, `ENDSWITH` and `BETWEEN` are named by the same pattern; no known
/// file contains them. Decoding uses the number of the operator only.
struct ArchivedPredicateOperator {
    let type: NSComparisonPredicate.Operator
    let modifier: NSComparisonPredicate.Modifier
    let options: NSComparisonPredicate.Options

    init(_ predicate: NSComparisonPredicate) {
        type = predicate.predicateOperatorType
        modifier = predicate.comparisonPredicateModifier
        options = predicate.options
    }

    init(_ object: KeyedArchiveObject) throws {
        let number = try object.integer("NSOperatorType") ?? -1
        guard let raw = UInt(exactly: number), let type = NSComparisonPredicate.Operator(rawValue: raw) else {
            throw keyedArchiveError("\(number) is no operator of a predicate")
        }
        guard let rawModifier = UInt(exactly: try object.integer("NSModifier") ?? 0),
            let modifier = NSComparisonPredicate.Modifier(rawValue: rawModifier)
        else {
            throw object.typeMismatch("NSModifier", "a modifier of a comparison")
        }
        self.type = type
        self.modifier = modifier
        let bits = try object.integer("NSOptions") ?? object.integer("NSFlags") ?? 0
        options = NSComparisonPredicate.Options(rawValue: UInt(bitPattern: bits) & 0xF)
    }

    private var archivedClass: KeyedArchiveClass {
        switch type {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return KeyedArchiveClass("NSComparisonPredicateOperator", "NSPredicateOperator")
        case .equalTo, .notEqualTo:
            return KeyedArchiveClass("NSEqualityPredicateOperator", "NSPredicateOperator")
        case .matches:
            return KeyedArchiveClass("NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
        case .like:
            return KeyedArchiveClass(
                "NSLikePredicateOperator", "NSMatchingPredicateOperator", "NSStringPredicateOperator",
                "NSPredicateOperator")
        case .beginsWith, .endsWith:
            return KeyedArchiveClass("NSSubstringPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
        case .in, .contains:
            return KeyedArchiveClass("NSInPredicateOperator", "NSPredicateOperator")
        case .between:
            return KeyedArchiveClass("NSBetweenPredicateOperator", "NSPredicateOperator")
        }
    }

    func encode(to writer: KeyedArchiveWriter) -> PropertyListValue {
        let bits = PropertyListValue.integer(Int64(options.rawValue))
        var entries: [(key: String, value: PropertyListValue)] = [
            ("NSOperatorType", .integer(Int64(type.rawValue))),
            ("NSModifier", .integer(Int64(modifier.rawValue))),
        ]
        switch type {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            entries += [("NSVariant", .integer(Int64(type.rawValue))), ("NSOptions", bits)]
        case .equalTo, .notEqualTo:
            entries += [("NSNegate", .boolean(type == .notEqualTo)), ("NSOptions", bits)]
        case .beginsWith, .endsWith:
            // 0: at the beginning, 1: at the end.
            entries += [("NSSubstringPosition", .integer(type == .beginsWith ? 0 : 1)), ("NSFlags", bits)]
        case .between:
            break
        case .matches, .like, .in, .contains:
            entries.append(("NSFlags", bits))
        }
        return writer.add(class: archivedClass, entries)
    }
}
