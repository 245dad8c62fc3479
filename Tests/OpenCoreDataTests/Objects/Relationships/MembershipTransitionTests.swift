import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// All sequences of three events of two contexts that share a store and up to four members, against lists of names.
@Suite("The transitions of a membership, enumerated")
struct MembershipTransitionTests {
    /// An event of one context.
    private enum Event {
        case insert(Int, at: Int?)
        case remove(Int)
        case removeAll
        /// The first member becomes the last, or the last the first, or the two in the middle are exchanged.
        case moveFirst, moveLast, moveMiddle
        case reverse
        case moveToEnd(Int)
        case undo(Int)
        case rollback
        case load
        /// The context reads the newer members that the other one has saved.
        case refresh(NSManagedObject.RebasePolicy)
        case save
        /// The row of a member was deleted by another program: this is an event of both contexts.
        case vanish(Int)
    }

    /// One context's membership, and its reference.
    private struct Side {
        var membership: Membership
        var reference: ReferenceMembership
    }

    private struct State {
        var sides: [Side]
        var stored: [Int]
    }

    private let items = ItemObjects(20)
    private var objects: [NSManagedObject] { items.all }

    private static func events(isOrdered: Bool) -> [Event] {
        let changes: [Event] =
            (0..<4).flatMap { [.insert($0, at: nil), .remove($0)] } + [
                .removeAll, .undo(0), .undo(3), .rollback, .vanish(1),
            ]
        let others: [Event] = [.load, .refresh(.changes), .refresh(.changesAndOrder), .refresh(.everything), .save]
        let moves: [Event] = [
            .insert(3, at: 0), .moveFirst, .moveLast, .moveMiddle, .reverse, .moveToEnd(0), .moveToEnd(3),
        ]
        return changes + others + (isOrdered ? moves : [])
    }

    @Test(
        "a membership is what its reference is after three events of two contexts",
        arguments: [false, true], [false, true])
    func threeEvents(isOrdered: Bool, isLoaded: Bool) {
        enumerate(3, [0, 1, 2], isOrdered: isOrdered, isLoaded: isLoaded)
    }

    @Test(
        "a membership is what its reference is after two events, with any number of stored members",
        arguments: [false, true], 0...4)
    func twoEvents(isOrdered: Bool, count: Int) {
        for isLoaded in [false, true] { enumerate(2, Array(0..<count), isOrdered: isOrdered, isLoaded: isLoaded) }
    }

    @Test("a membership is what its reference is after two events, with a hash for look-ups", arguments: [false, true])
    func twoEventsWithHash(isOrdered: Bool) {
        enumerate(2, [0, 1, 2] + Array(4..<20), isOrdered: isOrdered, isLoaded: true)
    }

    /// Performs all sequences of events. The first context has the first event: with the second one it would be the
    /// same.
    private func enumerate(_ length: Int, _ stored: [Int], isOrdered: Bool, isLoaded: Bool) {
        let side = Side(
            membership: Membership(isOrdered: isOrdered, isLoaded: false),
            reference: ReferenceMembership(isOrdered: isOrdered))
        var start = State(sides: [side, side], stored: stored)
        if isLoaded { for which in 0...1 { _ = perform(.load, which, &start) } }
        let events = Self.events(isOrdered: isOrdered)
        var failures: [String] = []
        func enumerate(_ state: State, _ path: [(Int, Event)]) {
            guard path.count < length, failures.count < 5 else { return }
            for which in path.isEmpty ? 0...0 : 0...1 {
                for event in events {
                    var next = state
                    guard perform(event, which, &next) else { continue }
                    let path = path + [(which, event)]
                    if let failure = failure(&next) { failures.append("\(path): \(failure)") }
                    enumerate(next, path)
                }
            }
        }
        enumerate(start, [])
        expectEqual(failures, [])
    }

    // MARK: Events

    /// - Returns: false if the event needs members that are loaded, or more of them.
    private func perform(_ event: Event, _ which: Int, _ state: inout State) -> Bool {
        if case .vanish(let member) = event {
            state.stored.removeAll { $0 == member }
            for index in state.sides.indices {
                state.sides[index].reference.discard(member)
                _ = state.sides[index].membership.discard(objects[member])
            }
            return true
        }
        if case .save = event {
            let isStale =
                state.sides[which].reference.isLoaded && state.sides[which].reference.committed != state.stored
            if isStale { _ = change(.refresh(.changesAndOrder), &state.sides[which], state.stored) }
            var saved = state.sides[which].reference
            if !saved.isLoaded { saved.load(state.stored) }
            state.stored = saved.members
            state.sides[which].reference.commit()
            _ = state.sides[which].membership.commit()
            return true
        }
        return change(event, &state.sides[which], state.stored)
    }

    private func change(_ event: Event, _ side: inout Side, _ stored: [Int]) -> Bool {
        let members = side.reference.members
        switch event {
        case .insert(let member, let position):
            guard position == nil || side.reference.isLoaded else { return false }
            side.reference.insert(member, at: position)
            _ = side.membership.insert(objects[member], at: position)
        case .remove(let member):
            side.reference.remove(member)
            _ = side.membership.remove(objects[member], findsIndex: member % 2 == 0)
        case .removeAll:
            side.reference.removeAll()
            _ = side.membership.removeAll()
        case .moveFirst: return move(0, to: members.count - 1, &side)
        case .moveLast: return move(members.count - 1, to: 0, &side)
        case .moveMiddle: return members.count > 3 && move(1, to: 2, &side)
        case .reverse:
            guard members.count > 1 else { return false }
            side.reference.reorder(members.reversed())
            _ = side.membership.reorder(members.reversed().map { objects[$0] })
        case .moveToEnd(let member):
            side.reference.moveToEnd(member)
            _ = side.membership.moveToEnd([objects[member]])
        case .undo(let member):
            side.reference.undo(member)
            _ = side.membership.undo(objects[member])
        case .rollback:
            side.reference.rollback()
            _ = side.membership.rollback()
        case .load:
            guard !side.reference.isLoaded else { return false }
            side.reference.load(stored)
            _ = side.membership.load(stored.map { objects[$0] })
        case .refresh(let policy):
            side.reference.rebase(
                onto: stored, keepsOrder: policy == .changesAndOrder, keepsMembers: policy == .everything)
            _ = side.membership.rebase(onto: stored.map { objects[$0] }, policy: policy)
        case .save, .vanish:
            return false
        }
        return true
    }

    private func move(_ source: Int, to target: Int, _ side: inout Side) -> Bool {
        guard source >= 0, target >= 0, source != target else { return false }
        side.reference.move(source, to: target)
        _ = side.membership.move([source], to: target)
        return true
    }

    // MARK: Comparing

    /// The first difference from the reference.
    private func failure(_ state: inout State) -> String? {
        for index in state.sides.indices {
            let reference = state.sides[index].reference
            let membership = state.sides[index].membership
            if let failure = failure(membership, reference) { return "context \(index): \(failure)" }
        }
        return nil
    }

    private func failure(_ membership: Membership, _ reference: ReferenceMembership) -> String? {
        var membership = membership
        func names(_ objects: [NSManagedObject]) -> [Int] {
            objects.map { object in self.objects.firstIndex { $0 === object }! }
        }
        func isSame(_ objects: [NSManagedObject], _ expected: [Int]) -> Bool {
            reference.isOrdered ? names(objects) == expected : names(objects).sorted() == expected.sorted()
        }
        if !isSame(membership.members, reference.members) {
            return "the members are \(names(membership.members)), not \(reference.members)"
        }
        if !isSame(membership.additions, reference.additions) {
            return "the additions are \(names(membership.additions)), not \(reference.additions)"
        }
        if names(membership.removals).sorted() != reference.removals.sorted() {
            return "the removals are \(names(membership.removals)), not \(reference.removals)"
        }
        if names(membership.pendingAdditions) != reference.pending {
            return "the pending additions are \(names(membership.pendingAdditions)), not \(reference.pending)"
        }
        if reference.isLoaded && !isSame(membership.committed, reference.committed) {
            return "the committed members are \(names(membership.committed)), not \(reference.committed)"
        }
        if membership.isChanged != reference.isChanged { return "the membership counts as changed, or as unchanged" }
        let violations = membership.checkInvariants()
        return violations.isEmpty ? nil : violations.joined(separator: ", ")
    }
}
