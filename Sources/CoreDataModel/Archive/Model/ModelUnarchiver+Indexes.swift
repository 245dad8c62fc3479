// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelUnarchiver {
    /// Decodes the indexes of an entity. An archive of an older compiler has only the legacy form, which is converted.
    func fillIndexes(of object: KeyedArchiveObject) throws {
        let entity = try entity(object)
        entity.setLegacyCompoundIndexes(try nameLists(object, "NSCompoundIndexes"))
        guard let archived = try object.objects("NSFetchIndexDescriptions") else {
            entity.indexes = entity.convertedIndexes
            return
        }
        entity.indexes = try archived.map { index in
            guard index.className == "NSFetchIndexDescription" else {
                throw keyedArchiveError("an object of class \(index.className) was found instead of an index")
            }
            let made = NSFetchIndexDescription(
                name: try index.requiredString("NSIndexName"),
                elements: try (index.objects("NSIndexElements") ?? []).map { try indexElement($0, of: entity) })
            made.partialIndexPredicate = try index.object("NSPartialIndexPredicate").map(predicates.predicate)
            return made
        }
    }

    private func indexElement(
        _ object: KeyedArchiveObject, of entity: NSEntityDescription
    ) throws -> NSFetchIndexElementDescription {
        guard object.className == "NSFetchIndexElementDescription" else {
            throw keyedArchiveError("an object of class \(object.className) was found instead of an index element")
        }
        guard let raw = UInt(exactly: try object.integer("NSFetchIndexElementType") ?? 0),
            let type = NSFetchIndexElementType(rawValue: raw)
        else {
            throw object.typeMismatch("NSFetchIndexElementType", "0 or 1")
        }
        let element: NSFetchIndexElementDescription
        if let expression = try object.object("NSIndexedProperty"), expression.className == "NSExpressionDescription" {
            element = NSFetchIndexElementDescription(property: try makeProperty(expression), collationType: type)
        } else {
            element = NSFetchIndexElementDescription(
                propertyName: try object.requiredString("NSPropertyName"), collationType: type)
        }
        element.isAscending = try object.contents["NSAscending"] == nil || object.flag("NSAscending")
        return element
    }
}
