// SPDX-License-Identifier: Apache-2.0

/// One step of editing a model, as a value.
package enum ModelEdit: Equatable, Sendable {
    /// Sets an attribute, or removes it (nil). Attributes that depend on it are changed too: see
    /// `ModelEditing+Attributes`.
    case set(ModelPath, attribute: String, value: String?)
    /// Adds an element to a parent. Without a name the element gets an unused name.
    case add(to: ModelPath, kind: String, name: String?, attributes: [String: String])
    /// Removes an element, and the references to it.
    case remove(ModelPath)
    /// Renames an element, and what refers to it by its name.
    ///
    /// With `keepsValues` it gets the former name as renaming identifier, so that a migration keeps what stores have.
    case rename(ModelPath, to: String, keepsValues: Bool)
    /// Adds a relationship between two entities, and its inverse if it has a name.
    case relate(Relation)
    /// Replaces the entries of the user info.
    case setUserInfo(ModelPath, [Entry])
    /// Replaces the uniqueness constraints of an entity.
    case setConstraints(entity: String, [[String]])
    /// Replaces the elements of an index.
    case setIndex(ModelPath, [IndexElement])
    /// Replaces the entities of a configuration.
    case setMembers(configuration: String, [String])
    /// Moves boxes of the diagram.
    case place([String: Position])
    /// Replaces the model by the model of a text in the text notation. Parts that are equal in both stay unchanged.
    case setText(String)

    /// An entry of a user info.
    package struct Entry: Equatable, Sendable, Decodable {
        let key: String
        package let value: String
    }

    /// An element of an index: a property or an expression.
    package struct IndexElement: Equatable, Sendable {
        var property: String?
        package var expression: String?
        package var expressionType: String?
        package var isSpatial = false
        package var isDescending = false

        package init(property: String) { self.property = property }
    }

    /// A position in the coordinates of the file.
    package struct Position: Equatable, Sendable, Decodable {
        var x: Int
        var y: Int
    }

    /// A relationship and its inverse.
    package struct Relation: Equatable, Sendable {
        var source: String
        var destination: String
        /// The name; nil for one made from the destination.
        package var name: String?
        /// The name of the inverse. Nil: one made from the source. Empty: no inverse.
        package var inverse: String?
        package var isToMany = false
        package var inverseIsToMany = false

        package init(source: String, destination: String) {
            self.source = source
            self.destination = destination
        }
    }
}

/// The consequence of an edit beside the changed model.
package struct ModelEditOutcome: Equatable, Sendable {
    /// The step in words, for the list of steps: `Rename Song to Title`.
    package var label: String
    /// The parts that were read or changed, such as `entity:Song`; `*` for all.
    package var touched: Set<String>
    /// The element to show next.
    package var selection: ModelPath?
    /// A sentence about consequences; nil without any.
    package var note: String?

    package init(label: String = "", touched: Set<String> = [], note: String? = nil) {
        self.label = label
        self.touched = touched
        self.note = note
    }
}
