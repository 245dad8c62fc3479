// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The elements that a version adds to structures, which must have values in the models of the older version.
///
/// Core Data infers that such an element is empty. The structure could then not be decoded, and no change of the model
/// be saved.
enum NewElements {
    /// The elements that are required and have no default value, in words.
    static func problems(from: PlanVersion, to: PlanVersion) -> [String] {
        to.model.entities.flatMap { entity -> [String] in
            guard let name = entity.name, let old = from.model.entitiesByName[name] else { return [] }
            return entity.attributesByName.sorted { $0.key < $1.key }.flatMap { property, attribute -> [String] in
                let source = attribute.renamingIdentifier.flatMap { old.attributesByName[$0] }
                guard let composite = attribute as? NSCompositeAttributeDescription,
                    let former = (source ?? old.attributesByName[property]) as? NSCompositeAttributeDescription
                else { return [] }
                return missing(in: composite, former, path: "\(name).\(property)").map {
                    """
                    \($0): The member is new and required, and the property has no default value. Give the property a \
                    default value, or make the member optional.
                    """
                }
            }
        }
    }

    private static func missing(
        in composite: NSCompositeAttributeDescription, _ former: NSCompositeAttributeDescription, path: String
    ) -> [String] {
        composite.elements.flatMap { element -> [String] in
            let old = former.elements.first {
                $0.renamingIdentifier == element.renamingIdentifier || $0.name == element.name
            }
            let path = "\(path).\(element.name)"
            if let inner = element as? NSCompositeAttributeDescription {
                guard let old = old as? NSCompositeAttributeDescription else {
                    return inner.isOptional || inner.defaultValue != nil ? [] : [path]
                }
                return missing(in: inner, old, path: path)
            }
            return old != nil || element.isOptional || element.defaultValue != nil ? [] : [path]
        }
    }
}
