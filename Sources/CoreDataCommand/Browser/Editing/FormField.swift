// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A field of a form: an attribute of an object, or an element of its composite value.
struct FormField {
    /// The name of the attribute, and the names of the elements that lead to the value.
    let path: [String]
    /// The attribute, or the element.
    let attribute: NSAttributeDescription

    /// The name of the field: a key path.
    var key: String { path.joined(separator: ".") }

    var isEditable: Bool { FieldValue.isEditable(attribute) }

    /// Whether the form has a tick for no value. A model has no rules for the elements of a composite value, which is
    /// nil while none of them has a value.
    var canBeNil: Bool { path.count > 1 || attribute.isOptional }

    /// The fields of an attribute: its own, or one for each element, to any depth.
    static func fields(of attribute: NSAttributeDescription) -> [FormField] { fields(of: attribute, []) }

    private static func fields(of attribute: NSAttributeDescription, _ path: [String]) -> [FormField] {
        let path = path + [attribute.name]
        guard let composite = attribute as? NSCompositeAttributeDescription, !composite.elements.isEmpty else {
            return [FormField(path: path, attribute: attribute)]
        }
        return composite.elements.flatMap { fields(of: $0, path) }
    }

    /// The fields of an entity that a form changes, in the order of the attributes' names.
    static func editable(of entity: NSEntityDescription) -> [FormField] {
        entity.storedAttributes.flatMap { fields(of: $0) }.filter(\.isEditable)
    }

    func value(of object: NSManagedObject) -> Any? {
        path.dropFirst().reduce(object.value(forKey: path[0])) { ($0 as? [String: Any])?[$1] }
    }

    func set(_ value: Any?, of object: NSManagedObject) {
        let whole = Self.replaced(object.value(forKey: path[0]), path.dropFirst(), by: value)
        object.setValue(whole, forKey: path[0])
    }

    /// A value after one of its elements is replaced; nil if no element is left.
    private static func replaced(_ whole: Any?, _ path: ArraySlice<String>, by value: Any?) -> Any? {
        guard let element = path.first else { return value }
        var values = whole as? [String: Any] ?? [:]
        values[element] = replaced(values[element], path.dropFirst(), by: value)
        return values.isEmpty ? nil : values
    }
}
