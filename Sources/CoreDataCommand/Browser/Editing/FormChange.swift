// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Sets the values of a form that differ from the values of an object.
struct FormChange {
    let form: FormValues
    let store: ReadOnlyStore

    /// - Throws: `FormRefusal` with a message for each field whose text is no value of its attribute.
    func apply(to object: NSManagedObject) throws {
        var messages: [FormRefusal.Message] = []
        var isConflict = false
        for field in FormField.editable(of: object.entity) {
            do {
                try set(field, object)
            } catch let mistake as FieldValue.Mistake {
                messages.append(FormRefusal.Message(key: field.key, text: mistake.description))
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

    private func set(_ field: FormField, _ object: NSManagedObject) throws {
        let key = field.key
        guard form.has("v.\(key)") else { return }
        let text = Self.withShortLineEnds(form.values("v.\(key)").first ?? "")
        let old = field.value(of: object)
        let oldText = FieldValue.text(of: old, for: field.attribute)
        guard FieldValue.isKept(oldText) else { return }
        if form.has("nil.\(key)") {
            // Typing a text into an empty field leaves its tick as it was.
            if old == nil && !text.isEmpty && text != "false" {
                field.set(try FieldValue.value(of: text, for: field.attribute), of: object)
            } else if old != nil {
                field.set(nil, of: object)
            }
        } else if text.isEmpty && !field.canBeNil {
            // An empty field without a tick is no value, which a save refuses. An empty text stays as it is.
            if !oldText.isEmpty { field.set(nil, of: object) }
        } else if old == nil || text != Self.withShortLineEnds(oldText) {
            // A text that has one kind of line ends keeps it.
            let isLong = oldText.contains("\r\n") && oldText == Self.withLongLineEnds(Self.withShortLineEnds(oldText))
            let lines = isLong ? Self.withLongLineEnds(text) : text
            field.set(try FieldValue.value(of: lines, for: field.attribute), of: object)
        }
    }

    /// Browsers send each line end as a carriage return and a line feed.
    private static func withShortLineEnds(_ text: String) -> String {
        text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    private static func withLongLineEnds(_ text: String) -> String {
        text.replacingOccurrences(of: "\n", with: "\r\n")
    }
}
