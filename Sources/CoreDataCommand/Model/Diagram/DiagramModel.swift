/// What is drawn of a model: a box for each entity, and the lines between their rows.
struct DiagramModel {
    var boxes: [DiagramBox]
    var lines: [DiagramLine]
}

/// An entity as a box of rows.
struct DiagramBox {
    let name: String
    let isAbstract: Bool
    var rows: [DiagramRow]
}

/// A row of a box; every row can be the end of one line on each side.
struct DiagramRow {
    enum Kind {
        case title
        /// The entity's parent.
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

/// A line between rows: a relationship with its inverse, or an entity and all that inherit from it.
struct DiagramLine {
    enum Kind {
        case relationship, inheritance
    }

    /// What stands at the end of a line, at the box.
    enum Mark: Equatable {
        case none
        /// The triangle at a parent.
        case parent
        /// One object, or none if it is optional.
        case one(isOptional: Bool)
        /// Many objects: the crow's foot.
        case many(isOptional: Bool)
    }

    struct End {
        let box: Int
        let row: Int
        let mark: Mark
    }

    let kind: Kind
    /// Of an inheritance the parent comes first.
    let ends: [End]
    /// What it is, for whoever points at it.
    let label: String
}
