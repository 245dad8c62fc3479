import CoreData

/// One thing done to a relationship, from either side.
enum RelationshipStep {
    case setRights(String, [String])
    case addRight(String, String)
    case removeRight(String, String)
    case setLefts(String, [String])
    case addLeft(String, String)
    case removeLeft(String, String)
    case insertRight(String, String, Int)
    case delete(String)

    func apply(to graph: inout RelationshipGraph) {
        switch self {
        case .setRights(let left, let rights): graph.setRights(left, rights)
        case .addRight(let left, let right): graph.link(left, right)
        case .removeRight(let left, let right): graph.unlink(left, right)
        case .setLefts(let right, let lefts): graph.setLefts(right, lefts)
        case .addLeft(let right, let left): graph.link(left, right)
        case .removeLeft(let right, let left): graph.unlink(left, right)
        case .insertRight(let left, let right, let place): graph.link(left, right, at: place)
        case .delete(let name): graph.delete(name)
        }
    }

    func apply(to objects: [String: NSManagedObject], _ shape: RelationshipShape) {
        let leftsKey = shape.isOwnInverse ? "rights" : "lefts"
        switch self {
        case .setRights(let left, let rights): set(objects[left]!, "rights", rights.map { objects[$0]! }, shape.rights)
        case .addRight(let left, let right): add(objects[left]!, "rights", objects[right]!, shape.rights)
        case .removeRight(let left, let right): remove(objects[left]!, "rights", objects[right]!, shape.rights)
        case .setLefts(let right, let lefts): set(objects[right]!, leftsKey, lefts.map { objects[$0]! }, shape.lefts!)
        case .addLeft(let right, let left): add(objects[right]!, leftsKey, objects[left]!, shape.lefts!)
        case .removeLeft(let right, let left): remove(objects[right]!, leftsKey, objects[left]!, shape.lefts!)
        case .insertRight(let left, let right, let place):
            objects[left]!.mutableOrderedSetValue(forKey: "rights").insert(objects[right]!, at: place)
        case .delete(let name): objects[name]!.managedObjectContext!.delete(objects[name]!)
        }
    }

    private func set(
        _ owner: NSManagedObject, _ key: String, _ members: [NSManagedObject], _ side: RelationshipShape.Side
    ) {
        switch side {
        case .one: owner.setValue(members.first, forKey: key)
        case .many: owner.setValue(NSSet(array: members), forKey: key)
        case .ordered: owner.setValue(NSOrderedSet(array: members), forKey: key)
        }
    }

    private func add(_ owner: NSManagedObject, _ key: String, _ member: NSManagedObject, _ side: RelationshipShape.Side)
    {
        switch side {
        case .one: owner.setValue(member, forKey: key)
        case .many: owner.mutableSetValue(forKey: key).add(member)
        case .ordered: owner.mutableOrderedSetValue(forKey: key).add(member)
        }
    }

    private func remove(
        _ owner: NSManagedObject, _ key: String, _ member: NSManagedObject, _ side: RelationshipShape.Side
    ) {
        switch side {
        case .one: if owner.object(key) === member { owner.setValue(nil, forKey: key) }
        case .many: owner.mutableSetValue(forKey: key).remove(member)
        case .ordered: owner.mutableOrderedSetValue(forKey: key).remove(member)
        }
    }
}

/// The steps with objects a, b, c on the left and w, x, y, z on the right, after a was related to x and y, b to z, and
/// c to x.
struct RelationshipScenario {
    static func first(_ shape: RelationshipShape) -> [RelationshipStep] {
        let steps: [RelationshipStep] = [
            .addRight("a", "x"), .addRight("a", "y"), .addRight("b", "z"), .addRight("c", "x"),
        ]
        return hasOneOwner(shape) ? steps.dropLast() : steps
    }

    /// In a SQLite file an object has one owner, if the relationship has no inverse and is to-many.
    private static func hasOneOwner(_ shape: RelationshipShape) -> Bool { shape.lefts == nil && shape.rights != .one }

    let number: Int
    let steps: [RelationshipStep]
    /// The result by the plain rules.
    let expected: RelationshipGraph

    /// The scenarios that make sense for a shape.
    static func all(_ shape: RelationshipShape) -> [RelationshipScenario] {
        var table: [[RelationshipStep]] = [
            [], [.setRights("a", ["z"])], [.setRights("a", [])], [.setRights("b", ["w"])],
            [.setRights("a", ["w"]), .setRights("a", ["x"])],
            [.addRight("a", "x")], [.addRight("a", "z")], [.addRight("a", "w")],
            [.addRight("a", "w"), .removeRight("a", "w")],
            [.removeRight("a", "x")], [.removeRight("b", "z")], [.removeRight("a", "w")],
            [.removeRight("b", "z"), .addRight("b", "z")],
            [.delete("a")], [.delete("a"), .delete("b")], [.setRights("b", ["w"]), .delete("b")],
        ]
        if shape.rights != .one {
            table += [
                [.setRights("a", ["z", "y", "w"])], [.setRights("a", ["y"]), .setRights("c", ["x", "w"])],
                [.addRight("b", "w"), .addRight("b", "y")],
            ]
        }
        if shape.rights == .ordered {
            table += [
                [.insertRight("a", "w", 0)], [.insertRight("a", "w", 0), .insertRight("a", "z", 1)],
                [.setRights("a", ["y", "w"]), .setRights("a", ["w", "y"])],
                [.removeRight("a", "y"), .insertRight("a", "y", 0)],
            ]
        }
        if let lefts = shape.lefts {
            table += [
                [.setLefts("z", ["a"])], [.setLefts("z", [])], [.setLefts("x", ["b"])],
                [.setLefts("z", ["a"]), .setLefts("z", ["b"])],
                [.addLeft("z", "b")], [.addLeft("w", "c")], [.addLeft("w", "a"), .removeLeft("w", "a")],
                [.removeLeft("z", "b")],
                [.removeLeft("z", "b"), .addLeft("z", "b")], [.delete("x")], [.delete("z"), .setRights("b", ["w"])],
                [.setLefts("w", ["b"]), .delete("w")],
                [.delete("a"), .delete("x")],
            ]
            if lefts != .one { table += [[.setLefts("z", ["c", "a"])], [.setLefts("x", ["b"]), .addLeft("y", "c")]] }
        }
        if shape.isReflexive {
            table += [
                [.setRights("a", ["a"])], [.addRight("b", "b"), .removeRight("b", "b")],
                [.addRight("c", "c"), .delete("c")], [.addRight("x", "a")],
                [.setLefts("a", ["a"]), .setRights("a", ["b"])],
            ]
        }
        let scenarios = table.enumerated().map { number, steps in
            var graph = RelationshipGraph(shape)
            for step in first(shape) + steps { step.apply(to: &graph) }
            return RelationshipScenario(number: number, steps: steps, expected: graph)
        }
        return hasOneOwner(shape) ? scenarios.filter(\.expected.isExclusive) : scenarios
    }
}
