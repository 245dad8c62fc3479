/// The effects of operations on the reference.
extension ReferenceContext {
    /// Whether an edit makes sense as things are.
    func isPossible(_ operation: RandomOperation) -> Bool {
        switch operation {
        case .insert(let number, _, _): present.records[number] == nil && base.records[number] == nil
        case .set(let number, let key, _, _):
            isAlive(number) && present.records[number]!.entity.isKind(of: RandomSchema.attribute(key).entity)
        case .relate(let number, let key, let other, _): canHold(number, key, other.map { [$0] } ?? [])
        case .add(let number, let key, let other, _), .remove(let number, let key, let other, _),
            .place(let number, let key, let other, _, _):
            canHold(number, key, [other])
        case .move(let number, let key, _, _, _):
            canHold(number, key, []) && !present.records[number]!.destinations(key).isEmpty
        case .replace(let number, let key, let others, _): canHold(number, key, others)
        case .delete(let number): isAlive(number)
        case .refresh(let number, let isMerging):
            isAlive(number) && base.records[number] != nil && (isMerging || !involved.contains(number))
        // A child of a context with a deletion that will be denied has objects with dangling relationships.
        case .openChild: !present.validationErrors(of: deleted).contains(1600)
        default: true
        }
    }

    private func canHold(_ number: Int, _ key: String, _ others: [Int]) -> Bool {
        let relationship = RandomSchema.relationship(key)
        return isAlive(number) && present.records[number]!.entity.isKind(of: relationship.entity)
            && others.allSatisfy { isAlive($0) && present.records[$0]!.entity.isKind(of: relationship.destination) }
    }

    /// The operation with what a careful program does before it.
    func prepared(_ operation: RandomOperation) -> [RandomOperation] {
        switch operation {
        case .add(let number, let key, let other, _): claims(number, key, [other]) + [operation]
        case .replace(let number, let key, let others, _): claims(number, key, others) + [operation]
        case .endEvent: cleanUp(doomed()) + [operation]
        default: [operation]
        }
    }

    /// A to-many relationship without inverse is a key in its members' rows: a member has one owner.
    private func claims(_ number: Int, _ key: String, _ others: [Int]) -> [RandomOperation] {
        guard RandomSchema.relationship(key).inverse == nil else { return [] }
        return present.records.sorted { $0.key < $1.key }.flatMap { owner, record in
            owner == number || record.isDeleted
                ? []
                : record.destinations(key).filter(others.contains).map {
                    RandomOperation.remove(owner, key, $0, form: 0)
                }
        }
    }

    /// Only the program removes deleted objects from relationships without inverse, or with the rule No Action.
    private func cleanUp(_ doomed: Set<Int>) -> [RandomOperation] {
        // A deletion that will be denied isn't waited for where it might be undone: a reference to a deleted object
        // doesn't come back.
        let unasked = hasUndo ? doomed : doomed.filter { base.records[$0] == nil }
        return present.danglingReferences(to: doomed, unsaved: unasked).map { source, relationship, destination in
            relationship.isToMany
                ? .remove(source, relationship.name, destination, form: 0)
                : .relate(source, relationship.name, nil, form: 0)
        }
    }

    /// Carries out an edit that is possible.
    mutating func apply(_ operation: RandomOperation) {
        switch operation {
        case .insert(let number, let entity, _): insert(number, entity)
        case .set(let number, let key, let value, _): set(number, key, value)
        case .relate(let number, let key, let other, _):
            replace(number, RandomSchema.relationship(key), with: other.map { [$0] } ?? [])
        case .add(let number, let key, let other, _): link(number, RandomSchema.relationship(key), other)
        case .remove(let number, let key, let other, _): unlink(number, RandomSchema.relationship(key), other)
        case .place(let number, let key, let other, let position, _):
            link(number, RandomSchema.relationship(key), other, at: position)
        case .move(let number, let key, let from, let to, let form):
            arrange(
                number, RandomSchema.relationship(key),
                Self.moved(present.records[number]!.destinations(key), from: from, to: to, form: form))
        case .replace(let number, let key, let others, let form):
            // Emptied and filled again: objects that stay are last in the inverse.
            if form % 3 == 2 && RandomSchema.relationship(key).isOrdered {
                replace(number, RandomSchema.relationship(key), with: [])
            }
            replace(number, RandomSchema.relationship(key), with: others)
        case .delete(let number): delete(number)
        case .endEvent: endEvent()
        default: break
        }
    }

    /// An order after a move (form 0), an exchange (1) or a reversal (2).
    static func moved(_ order: [Int], from: Int, to: Int, form: Int) -> [Int] {
        var order = order
        let (from, to) = (from % order.count, to % order.count)
        switch form {
        case 0: order.insert(order.remove(at: from), at: to)
        case 1: order.swapAt(from, to)
        default: order.reverse()
        }
        return order
    }
}
