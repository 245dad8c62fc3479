import CoreData

/// Every kind of relationship: `rights` of Left, and its inverse `lefts` of Right.
enum RelationshipShape: String, CaseIterable, Sendable {
    case oneToOne, oneToMany, manyToOne, manyToMany
    case orderedToOne, oneToOrdered, orderedToMany, manyToOrdered, orderedToOrdered
    /// Without inverse.
    case toOneAlone, toManyAlone, orderedAlone
    /// Between objects of one entity.
    case tree, orderedTree, web
    /// Their own inverses.
    case partner, friends, orderedFriends

    enum Side { case one, many, ordered }

    /// The content of an object's right side.
    var rights: Side {
        switch self {
        case .oneToOne, .manyToOne, .oneToOrdered, .toOneAlone, .partner: .one
        case .oneToMany, .manyToMany, .manyToOrdered, .toManyAlone, .tree, .web, .friends: .many
        case .orderedToOne, .orderedToMany, .orderedToOrdered, .orderedAlone, .orderedTree, .orderedFriends: .ordered
        }
    }

    /// The content of an object's left side, nil without inverse.
    var lefts: Side? {
        switch self {
        case .oneToOne, .oneToMany, .orderedToOne, .tree, .orderedTree: .one
        case .manyToOne, .manyToMany, .orderedToMany, .web: .many
        case .oneToOrdered, .manyToOrdered, .orderedToOrdered: .ordered
        case .toOneAlone, .toManyAlone, .orderedAlone: nil
        case .partner, .friends, .orderedFriends: rights
        }
    }

    var isOwnInverse: Bool { [.partner, .friends, .orderedFriends].contains(self) }
    /// Whether both sides are of one entity.
    var isReflexive: Bool { isOwnInverse || [.tree, .orderedTree, .web].contains(self) }

    /// The entity of the objects on the right.
    var rightEntity: String { isReflexive ? "Left" : "Right" }

    func makeModel() -> NSManagedObjectModel {
        let left = entity("Left")
        let leftChild = entity("LeftChild")
        let right = entity("Right")
        let rightChild = entity("RightChild")
        left.subentities = [leftChild]
        right.subentities = [rightChild]
        left.properties = [attribute("name", .stringAttributeType)]
        right.properties = [attribute("name", .stringAttributeType)]
        let there = relationship("rights", isReflexive ? left : right, rights)
        left.properties.append(there)
        if isOwnInverse {
            there.inverseRelationship = there
        } else if let lefts {
            let back = relationship("lefts", left, lefts)
            pair(there, back)
            (isReflexive ? left : right).properties.append(back)
        }
        return model(isReflexive ? [left, leftChild] : [left, leftChild, right, rightChild])
    }

    private func relationship(_ name: String, _ destination: NSEntityDescription, _ side: Side)
        -> NSRelationshipDescription
    {
        side == .one ? toOne(name, destination) : toMany(name, destination, ordered: side == .ordered)
    }
}
