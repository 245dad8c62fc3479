// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The reasons why a form was not saved, each at its field.
struct FormRefusal: Error {
    struct Message {
        /// The property of the field; nil for a message about the whole form.
        let key: String?
        let text: String
    }

    /// 422 for values that are refused, 409 for an object that has changed since the form was shown.
    let status: Int
    let messages: [Message]

    init(status: Int = 422, _ messages: [Message]) {
        self.status = status
        self.messages = messages
    }

    /// The refusal of a save, which validates the object and all that have changed with it.
    init(_ error: any Error, saving object: NSManagedObject) {
        let error = error as NSError
        let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        self.init(parts.flatMap { Self.messages(of: $0, saving: object) })
    }

    private static func messages(of error: NSError, saving object: NSManagedObject) -> [Message] {
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
        if !conflicts.isEmpty {
            return conflicts.map { conflict in
                let names = conflict.constraint.joined(separator: ", ")
                return Message(
                    key: conflict.constraint.first,
                    text: "Another object has the same \(names), which must be unique. (\(error.code))")
            }
        }
        let text = ValidationMessages.text(of: error)
        let key = error.userInfo[NSValidationKeyErrorKey] as? String
        if let other = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject, other !== object {
            return [Message(key: nil, text: "\(ObjectLabel.text(of: other)): \(key.map { "\($0): " } ?? "")\(text)")]
        }
        return [Message(key: key, text: text)]
    }
}

/// The values with which a form was sent, to show it again.
struct FormAttempt {
    let form: FormValues
    /// The reasons why it was not saved; nil for values that a new form begins with.
    var refusal: FormRefusal?

    var isConflict: Bool { refusal?.status == 409 }

    /// The text of an attribute's field; nil if the form has none.
    func text(_ name: String) -> String? {
        form.has("v.\(name)") ? form.values("v.\(name)").first?.replacingOccurrences(of: "\r\n", with: "\n") : nil
    }

    func isNil(_ name: String) -> Bool { form.has("nil.\(name)") }

    func messages(for key: String?) -> [String] {
        (refusal?.messages ?? []).filter { $0.key == key }.map(\.text)
    }
}
