// SPDX-License-Identifier: Apache-2.0

/// Finds class names that are invalid or probably misspelled.
enum ClassNameCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let named = model.entitiesByNameOrder.filter {
            !($0.explicitClassName ?? "").isEmpty && $0.explicitClassName != "NSManagedObject"
        }
        return named.compactMap { illegal($0) ?? misspelled($0, among: named) } + withoutClass(model)
    }

    /// The comparison takes quadratic time. Only generated models have more entities.
    private static let comparisonLimit = 500

    private static func illegal(_ entity: NSEntityDescription) -> ModelFinding? {
        let name = entity.explicitClassName ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // `.Class` is a class of the program's own module.
        let isLegal = (parts.first == "" && parts.count == 2 ? Array(parts.dropFirst()) : parts).allSatisfy {
            SwiftName.isIdentifier($0) && !SwiftName.isKeyword($0)
        }
        return isLegal
            ? nil
            : ModelFinding(
                .warning, .className, entity, key: "representedClassName",
                "entity '\(entity.name ?? "")' names the class '\(name)', which is not a valid class name")
    }

    /// The names of the entity and its class differ by one edit, and the class name belongs to no other entity.
    private static func misspelled(_ entity: NSEntityDescription, among others: [NSEntityDescription]) -> ModelFinding?
    {
        let className = lastPart(of: entity.explicitClassName ?? "")
        let entityName = entity.name ?? ""
        guard className != entityName, className.count > 3 else { return nil }
        if className.lowercased() == entityName.lowercased() || isSingleEdit(className, entityName) {
            return finding(entity, className, intended: entityName)
        }
        // The class name is almost the class of another entity, though the names of the entities aren't similar.
        guard others.count <= comparisonLimit else { return nil }
        let near = others.first { other in
            let otherClass = lastPart(of: other.explicitClassName ?? "")
            return isSingleEdit(className, otherClass) && otherClass == other.name
                && !isSingleEdit(entityName, other.name ?? "")
        }
        return near.map { finding(entity, className, intended: $0.name ?? "") }
    }

    private static func finding(_ entity: NSEntityDescription, _ className: String, intended: String) -> ModelFinding {
        ModelFinding(
            .warning, .className, entity, key: "representedClassName",
            "entity '\(entity.name ?? "")' names the class '\(className)', which looks like a misspelled '\(intended)'")
    }

    /// Entities that request a generated class without naming one.
    private static func withoutClass(_ model: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.filter { entity in
            ["class", "category"].contains(entity.sourceAttributes["codeGenerationType"] ?? "")
                && ["", "NSManagedObject"].contains(entity.explicitClassName ?? "")
        }.map { entity in
            ModelFinding(
                .warning, .className, entity, key: "codeGenerationType",
                """
                entity '\(entity.name ?? "")' requests a generated class without naming one, so its objects are of \
                class NSManagedObject
                """
            )
        }
    }

    private static func lastPart(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    /// Whether one letter was inserted, removed, replaced, or swapped with its neighbour.
    private static func isSingleEdit(_ left: String, _ right: String) -> Bool {
        let left = Array(left)
        let right = Array(right)
        guard left != right, abs(left.count - right.count) <= 1 else { return false }
        let shared = zip(left, right).prefix { $0 == $1 }.count
        let leftRest = Array(left.dropFirst(shared))
        let rightRest = Array(right.dropFirst(shared))
        if leftRest.count == rightRest.count {
            // Names that differ by a digit are numbered on purpose.
            if leftRest.dropFirst().elementsEqual(rightRest.dropFirst()) {
                return !(leftRest[0].isNumber || rightRest[0].isNumber)
            }
            return leftRest.count > 1 && leftRest[0] == rightRest[1] && leftRest[1] == rightRest[0]
                && leftRest.dropFirst(2).elementsEqual(rightRest.dropFirst(2))
        }
        let (longer, shorter) = leftRest.count > rightRest.count ? (leftRest, rightRest) : (rightRest, leftRest)
        // An additional letter at the end can be a plural: `Song` and `Songs` are both good names.
        return !shorter.isEmpty && longer.dropFirst().elementsEqual(shorter) && !longer[0].isNumber
    }
}
