/// One difference between two models, in words.
package struct ModelDifference: Hashable, Sendable {
    package enum Kind: String, Sendable { case added, removed, renamed, changed }

    package let kind: Kind
    /// The entity, by its new name (by its old one if it was removed); nil for what belongs to the model as a whole.
    package let entity: String?
    /// The property, by its new name (by its old one if it was removed); nil for what belongs to the entity.
    package let property: String?
    /// What differs: "type", "delete rule", "constraint (name)"; "entity", "attribute" or "relationship" if the whole
    /// of it does.
    package let aspect: String
    /// What the old model says; nil if it says nothing.
    package let old: String?
    /// What the new model says; nil if it says nothing.
    package let new: String?
    /// The difference as a phrase: "now required".
    package let phrase: String
    /// Whether the entity's version hash changes with it: stores made with the old model then need migration.
    package let changesVersionHash: Bool

    /// What the phrase is about: "Car.owner", "Car" or "model".
    package var subject: String {
        guard let entity else { return "model" }
        return property.map { "\(entity).\($0)" } ?? entity
    }

    /// The whole sentence: "Car.owner: now required".
    package var text: String { "\(subject): \(phrase)" }
}
