// SPDX-License-Identifier: Apache-2.0

/// A class to generate.
struct PlannedClass {
    /// The class's name without module.
    let name: String
    /// The name of its superclass.
    let superclass: String
    /// Whether the declaration of the class is generated.
    let hasDeclaration: Bool
    /// Whether the extension with the properties is generated.
    let hasProperties: Bool
    /// The entity of `fetchRequest()`; nil for a class of several unrelated entities.
    let fetchedEntityName: String?
    /// The attributes, relationships and fetched properties, each group sorted by name.
    let properties: [PlannedProperty]
    /// Whether the class conforms to `Identifiable`. Its subclasses inherit the conformance.
    let isIdentifiable: Bool
    /// Whether a class of the model has the name of a standard type, so that accessors need qualified type names.
    let needsFoundation: Bool

    var toManyRelationships: [PlannedProperty] { properties.filter { $0.element != nil } }
}

/// A property of a class to generate.
struct PlannedProperty: Equatable {
    /// The conversion between the stored value and the property.
    enum Access: Equatable {
        /// The value itself.
        case value
        /// A date as seconds.
        case dateInterval
        /// The objects of a fetched property, which is read-only.
        case fetched
    }

    let name: String
    /// The type in source form.
    let type: String
    let access: Access
    /// The class of the objects of a to-many relationship; nil for other properties.
    let element: String?
    let isOrdered: Bool

    /// The name with an uppercase first letter, as in the names of accessors.
    var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }
}
