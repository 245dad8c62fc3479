// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The changes that a replica asks a server to save. A replica numbers its pushes, and sends each one again, byte for
/// byte, until it has an answer.
public struct SyncPush: Codable, Hashable, Sendable {
    public var replica: UUID
    /// From 1, without gaps.
    public var number: Int64
    public var groups: [SyncGroup]

    public init(replica: UUID, number: Int64, groups: [SyncGroup]) {
        self.replica = replica
        self.number = number
        self.groups = groups
    }
}

/// Changes that a server saves or refuses together: those of local saves that share a changed object.
public struct SyncGroup: Codable, Hashable, Sendable {
    public var changes: [SyncObjectChange]

    public init(changes: [SyncObjectChange]) { self.changes = changes }
}

/// The change of an object.
public struct SyncObjectChange: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case insert, update, delete
    }

    public var object: UUID
    public var entity: String
    public var kind: Kind
    /// The life of the object that the replica changed; 0 if the server hasn't told it one.
    public var life: Int64
    /// When the replica saved, in seconds since the reference date, by the clock of the server as far as the replica
    /// knows it.
    public var time: Double
    /// The changed properties by their names; all properties of an inserted object that aren't null.
    public var properties: [String: SyncPropertyChange]

    public init(
        object: UUID, entity: String, kind: Kind, life: Int64, time: Double, properties: [String: SyncPropertyChange]
    ) {
        self.object = object
        self.entity = entity
        self.kind = kind
        self.life = life
        self.time = time
        self.properties = properties
    }
}

/// The change of a property.
public struct SyncPropertyChange: Hashable, Sendable {
    /// The number of the position up to which the replica had applied the server's changes when it changed the
    /// property.
    public var base: Int64
    public var change: Change

    public enum Change: Hashable, Sendable {
        case value(SyncValue)
        /// A number is added.
        case difference(SyncValue)
        /// Objects are added to and removed from a many-to-many relationship.
        case members(added: [UUID], removed: [UUID])
        /// Objects get other places in an ordered relationship.
        case moves([SyncMove])
    }

    public init(base: Int64, change: Change) {
        self.base = base
        self.change = change
    }
}

/// The place that an object gets in an ordered relationship.
public struct SyncMove: Codable, Hashable, Sendable {
    public var object: UUID
    /// The objects before it, the nearest first. The object goes behind the first of them that is there, or to the
    /// beginning.
    public var predecessors: [UUID]

    public init(object: UUID, predecessors: [UUID]) {
        self.object = object
        self.predecessors = predecessors
    }

    /// Makes the moves in a list. An object that isn't in the list stays out of it.
    public static func apply(_ moves: [SyncMove], to list: [UUID]) -> [UUID] {
        var list = list
        for move in moves {
            guard let index = list.firstIndex(of: move.object) else { continue }
            list.remove(at: index)
            let place = move.predecessors.lazy.compactMap { list.firstIndex(of: $0) }.first.map { $0 + 1 } ?? 0
            list.insert(move.object, at: place)
        }
        return list
    }

    /// The fewest moves from one list to another one; the objects of the second one alone count.
    public static func moves(from old: [UUID], to new: [UUID]) -> [SyncMove] {
        let places = Dictionary(old.enumerated().map { ($0.element, $0.offset) }) { one, _ in one }
        let staying = longestRise(new.map { places[$0] })
        return new.indices.filter { !staying.contains($0) }.map { index in
            SyncMove(object: new[index], predecessors: new[..<index].reversed().prefix(mostPredecessors).map { $0 })
        }
    }

    private static let mostPredecessors = 16

    /// The indexes of a longest part of a list whose numbers rise.
    private static func longestRise(_ numbers: [Int?]) -> Set<Int> {
        // The index of the smallest last number of a rise of each length, and the index before each.
        var (ends, previous): ([Int], [Int?]) = ([], Array(repeating: nil, count: numbers.count))
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] ?? 0 < number { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var (result, next): (Set<Int>, Int?) = ([], ends.last)
        while let index = next {
            result.insert(index)
            next = previous[index]
        }
        return result
    }
}

/// The answer to a push. The server stores it, and gives it again for the same push.
public struct SyncPushAnswer: Codable, Hashable, Sendable {
    /// The position of the last save that the push made.
    public var position: SyncPosition
    /// The groups of the push in their order.
    public var results: [SyncGroupResult]
    /// The server's states of the objects: values of what wasn't saved as the replica asked.
    public var corrections: [SyncObjectState]

    public init(position: SyncPosition, results: [SyncGroupResult], corrections: [SyncObjectState]) {
        self.position = position
        self.results = results
        self.corrections = corrections
    }
}

/// The end of a group.
public enum SyncGroupResult: Codable, Hashable, Sendable {
    case saved
    /// Nothing of the group was saved.
    case refused(SyncRefusal)
}

/// Why a group was refused.
public struct SyncRefusal: Codable, Hashable, Sendable {
    public enum Reason: String, Codable, Sendable {
        /// A rule of the server's model: validation, a deny rule, a required relationship.
        case invalid
        /// Another object has the value of a uniqueness constraint.
        case notUnique
        /// The policy of a property is `refuse`, and another replica changed it.
        case conflict
        /// The account may not make the change.
        case notAllowed
        /// The group needs an object of a group that was refused, or an object that doesn't exist.
        case missingObject
        /// The group changes an object that was deleted, and a change wins against that. The replica sends the group
        /// again, with the whole object.
        case needsObject
        /// The group has names or values that the server's model doesn't have.
        case unknown
        /// The server couldn't end the group several times, for a reason that isn't the group's content.
        case poison
    }

    public var reason: Reason
    /// The object and the property that the server names, if there is one.
    public var object: UUID?
    public var property: String?
    public var text: String

    public init(reason: Reason, object: UUID? = nil, property: String? = nil, text: String) {
        self.reason = reason
        self.object = object
        self.property = property
        self.text = text
    }
}
