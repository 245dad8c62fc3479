// SPDX-License-Identifier: Apache-2.0

/// The diagram of a model: a box for each entity, and lines between the rows of boxes.
struct DiagramModel {
    var boxes: [DiagramBox]
    var lines: [DiagramLine]
}

/// The box of an entity, with rows.
struct DiagramBox {
    let name: String
    let isAbstract: Bool
    var rows: [DiagramRow]
}

/// A row of a box. Each side of a row can be the end of one line.
struct DiagramRow {
    enum Kind {
        case title
        /// The parent of the entity.
        case parent
        case attribute, relationship, fetchedProperty
        /// A relationship of another entity to this one, without inverse.
        case incoming
    }

    let kind: Kind
    let name: String
    let type: String
    var isOptional = true
    var isTransient = false
}

/// A line between rows: a relationship and its inverse, or an entity and its subentities.
struct DiagramLine {
    enum Kind {
        case relationship, inheritance
    }

    /// The mark at the end of a line.
    enum Mark: Equatable {
        case none
        /// The triangle at a parent entity.
        case parent
        /// One object; zero or one if it is optional.
        case one(isOptional: Bool)
        /// Many objects, a crow's foot.
        case many(isOptional: Bool)
    }

    struct End {
        let box: Int
        let row: Int
        let mark: Mark
    }

    let kind: Kind
    /// The ends. For an inheritance, the parent is first.
    let ends: [End]
    /// The tooltip.
    let label: String
}
