// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSEntityDescription {
    /// An entity of a replica's or a server's rows, with optional attributes.
    ///
    /// - Parameters:
    ///   - type: the class of the rows; nil for one without properties of its own.
    ///   - indexes: the attributes of each index.
    package static func ofSync(
        _ type: NSManagedObject.Type?, _ name: String, _ attributes: [(String, NSAttributeType)], _ indexes: [[String]]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        if let type { entity.managedObjectClassName = NSStringFromClass(type) }
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        entity.indexes = indexes.map { names in
            NSFetchIndexDescription(
                name: "by" + names.joined(separator: "And"),
                elements: names.compactMap { name in
                    entity.propertiesByName[name].map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                })
        }
        return entity
    }
}
