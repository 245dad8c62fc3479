// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Sets the values of a form that differ from those of an object.
struct FormChange {
    let form: FormValues
    let store: ReadOnlyStore

    /// - Throws: `FormRefusal` with a message for each field whose text is no value of it.
    func apply(to object: NSManagedObject) throws {
        var messages: [FormRefusal.Message] = []
        var isConflict = false
        for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name })
        where FieldValue.isEditable(attribute) {
            do {
                try set(attribute, object)
            } catch let mistake as FieldValue.Mistake {
                messages.append(FormRefusal.Message(key: attribute.name, text: mistake.description))
            }
        }
        for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
            do {
                try RelationshipChange(relationship: relationship, form: form, store: store).apply(to: object)
            } catch let mistake as FieldValue.Mistake {
                messages.append(FormRefusal.Message(key: relationship.name, text: mistake.description))
                isConflict = isConflict || mistake.isConflict
            }
        }
        guard messages.isEmpty else { throw FormRefusal(status: isConflict ? 409 : 422, messages) }
    }

    private func set(_ attribute: NSAttributeDescription, _ object: NSManagedObject) throws {
        let name = attribute.name
        guard form.has("v.\(name)") else { return }
        let text = (form.values("v.\(name)").first ?? "").replacingOccurrences(of: "\r\n", with: "\n")
        let old = object.value(forKey: name)
        let oldText = FieldValue.text(of: old, for: attribute)
        guard FieldValue.isKept(oldText) else { return }
        if form.has("nil.\(name)") {
            // The tick stays where it was when a text is typed into an empty field.
            if old == nil && !text.isEmpty && text != "false" {
                object.setValue(try FieldValue.value(of: text, for: attribute), forKey: name)
            } else if old != nil {
                object.setValue(nil, forKey: name)
            }
        } else if old == nil && text.isEmpty && !attribute.isOptional {
            // A required text that has not been typed yet.
        } else if old == nil || text != oldText {
            let hasLongLineEnds = (old as? String)?.contains("\r\n") == true
            let lines = hasLongLineEnds ? text.replacingOccurrences(of: "\n", with: "\r\n") : text
            object.setValue(try FieldValue.value(of: lines, for: attribute), forKey: name)
        }
    }
}
