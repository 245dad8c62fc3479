// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The columns of the model's indexes.
extension SQLEntity {
    /// A column of an index.
    package struct IndexColumn {
        package let name: String
        package let isAscending: Bool
    }

    /// The columns of an index in their order; nil for an index that doesn't consist of columns, and for an index of a
    /// relationship key, which has an index anyway.
    package func columns(of index: NSFetchIndexDescription) -> [IndexColumn]? {
        let elements = index.elements
        guard !elements.isEmpty, !elements.contains(where: { $0.collationType == .rTree }) else { return nil }
        if elements.count == 1, let name = elements[0].propertyName, toOne(name) != nil { return nil }
        var columns: [IndexColumn] = []
        for element in elements {
            let names: [String]
            if let elements = element.propertyName.flatMap(elementColumns) {
                names = elements.map(\.name)
            } else {
                guard let name = column(of: element) else { return nil }
                names = [name]
            }
            columns += names.map { IndexColumn(name: $0, isAscending: element.isAscending) }
        }
        return columns
    }

    private func column(of element: NSFetchIndexElementDescription) -> String? {
        if let expression = (element.property as? NSExpressionDescription)?.expression { return column(of: expression) }
        return (element.propertyName ?? element.property?.name).flatMap(column(forKey:))
    }

    /// The column of an expression in an index; nil for any other expression.
    func column(of expression: NSExpression) -> String? {
        switch expression.expressionType {
        case .evaluatedObject: return table.primaryKey.name
        case .keyPath: return column(forKey: expression.keyPath)
        default: return nil
        }
    }

    private func column(forKey key: String) -> String? {
        switch key {
        case "self", "SELF": return table.primaryKey.name
        case "entity": return table.entityNumber.name
        default:
            if let elements = elementColumns(key) { return elements.count == 1 ? elements[0].name : nil }
            return column(key)?.name
        }
    }
}
