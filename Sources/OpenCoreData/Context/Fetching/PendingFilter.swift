// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A condition that a predicate implies and that is tested on the cells of an object: `key == constant`, by itself or
/// joined by AND.
///
/// Each fetch tests all unsaved objects of its entity. A program that looks for an object by a key before it makes a
/// new one has more unsaved objects with each fetch, so the test must cost little for objects with another value.
struct PendingFilter {
    private enum Value {
        case integer(Int64)
        case string(String)
    }

    private let cell: Int
    private let value: Value

    /// Nil if the predicate implies no such condition.
    init?(_ predicate: NSPredicate?, layout: EntityLayout) {
        guard let predicate else { return nil }
        if type(of: predicate) == NSCompoundPredicate.self, let compound = predicate as? NSCompoundPredicate {
            guard compound.compoundPredicateType == .and else { return nil }
            for part in compound.subpredicates {
                guard let filter = PendingFilter(part, layout: layout) else {
                    continue
                }
                self = filter
                return
            }
            return nil
        }
        guard type(of: predicate) == NSComparisonPredicate.self, let comparison = predicate as? NSComparisonPredicate,
            comparison.predicateOperatorType == .equalTo, comparison.comparisonPredicateModifier == .direct,
            comparison.options.isEmpty, comparison.leftExpression.expressionType == .keyPath,
            comparison.rightExpression.expressionType == .constantValue,
            let slot = layout.slot(named: comparison.leftExpression.keyPath)
        else { return nil }
        let constant = comparison.rightExpression.constantValue
        switch slot.kind {
        case .integer16, .integer32, .integer64:
            guard let number = constant as? NSNumber, number.isEqual(NSNumber(value: number.int64Value)) else {
                return nil
            }
            value = .integer(number.int64Value)
        case .string:
            guard let string = constant as? String else { return nil }
            value = .string(string)
        default: return nil
        }
        cell = slot.cell
    }

    /// The objects that may match the predicate: all objects that meet the condition.
    func candidates(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        switch value {
        case .integer(let integer):
            return candidates(objects) { $0.isPresent(cell) && $0.integer(cell) == integer }
        // Strings that a predicate takes for equal are canonically equivalent.
        case .string(let string):
            return candidates(objects) { $0.string(cell).pointee == string }
        }
    }

    @inline(__always)
    private func candidates(_ objects: [NSManagedObject], where hasValue: (Cells) -> Bool) -> [NSManagedObject] {
        var result: [NSManagedObject] = []
        // The objects come in runs of one class.
        var last: (type: NSManagedObject.Type, readsByCode: Bool)?
        for object in objects {
            let type = type(of: object)
            if last?.type != type {
                let hasAccessors = object.layout.hasAccessors.load(ordering: .relaxed)
                last = (type, hasAccessors || MethodOverrides.overridesValueForKey(type))
            }
            // A class with accessors, or with an override of value(forKey:), may give other values than its cells
            // contain.
            if !object.flags.isDisjoint(with: [.fault, .checksConcurrency]) || last?.readsByCode == true
                || hasValue(object.cells)
            {
                result.append(object)
            }
        }
        return result
    }
}
