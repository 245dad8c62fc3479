/// A class that is to be generated.
struct PlannedClass {
    /// The class's name without module.
    let name: String
    /// The name of its superclass.
    let superclass: String
    /// Whether the class itself is declared, not only extended.
    let hasDeclaration: Bool
    /// Whether the extension with the properties is written.
    let hasProperties: Bool
    /// The entity that `fetchRequest()` fetches; nil where the class stands for several unrelated ones.
    let fetchedEntityName: String?
    /// The properties, attributes first, each group by name.
    let properties: [PlannedProperty]
    /// Whether the class is to be `Identifiable`: the first of a line of inheritance is.
    let isIdentifiable: Bool
    /// Whether a class of the model has the name of a type that accessors use, so that those need their module's name.
    let needsFoundation: Bool

    var toManyRelationships: [PlannedProperty] { properties.filter { $0.element != nil } }
}

/// A property of a class that is to be generated.
struct PlannedProperty: Equatable {
    /// What stands between the property and its value.
    enum Access: Equatable {
        /// The value itself.
        case value
        /// A date as a number of seconds.
        case dateInterval
        /// The objects that a fetch request finds; read-only.
        case fetched
    }

    let name: String
    /// The type, as it stands in source text.
    let type: String
    let access: Access
    /// For to-many relationships: the class of the objects.
    let element: String?
    let isOrdered: Bool

    /// The name with a capital, as the names of accessors have it.
    var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }
}
