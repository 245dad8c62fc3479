import CoreDataSyncWire
import Foundation

/// The rules of sync, in the plainest form: the contents of a server after a list of pushes. It shares no code with the
/// engine.
struct Reference {
    struct Value {
        var value: SyncValue
        var position: Int64
        var time: Double
        var replica: Int64
    }

    struct Object {
        var entity: String
        var life: Int64
        var isAlive = true
        /// The stamp of the values that no change has set.
        var inserted: Value
        var values: [String: Value] = [:]
    }

    private(set) var objects: [UUID: Object] = [:]
    /// Tags that were inserted with the name of another one, and those.
    private var merged: [UUID: UUID] = [:]
    private var isOfferedAgain = false
    /// The tags that notes had when those were deleted, in the save that is under way.
    private var deniers: [UUID: Set<UUID>] = [:]
    private(set) var position: Int64 = 0
    /// The contents at each position.
    private(set) var snapshots: [Int64: [UUID: [String: SyncValue]]] = [0: [:]]
    let inverted: Rule?

    init(inverted: Rule? = nil) { self.inverted = inverted }

    private struct Refused: Error {}
    private struct SameName: Error { let tags: [UUID] }

    /// Whether the server fails at a group.
    static func isPoison(_ group: SyncGroup) -> Bool {
        group.changes.contains { change in
            guard case .value(.integer(let rank))? = change.properties["rank"]?.change else { return false }
            return rank % 10 == 7
        }
    }

    /// Groups of a push that arrive for the first time.
    ///
    /// - Parameters:
    ///   - replica: its number on the server.
    ///   - tryingAll: whether one save makes all, if none is refused.
    /// - Returns: whether each group is saved.
    mutating func apply(
        _ push: SyncPush, by replica: Int64, at time: Double, tryingAll: Bool, isOfferedAgain: Bool = false
    ) -> [Bool] {
        (self.isOfferedAgain, deniers) = (isOfferedAgain, [:])
        defer { snapshots[position] = contents }
        var all = self
        all.position += 1
        if tryingAll, (try? all.applyAll(push.groups, replica, time)) != nil {
            self = all
            return push.groups.map { _ in true }
        }
        return push.groups.map { group in
            var one = self
            one.position += 1
            if (try? one.applyMerging(group, replica, time)) == nil {
                if inverted != .groupsAreWhole { return false }
                one = self
                one.position += 1
                for change in group.changes { _ = try? one.apply(SyncGroup(changes: [change]), replica, time) }
            }
            self = one
            snapshots[position] = contents
            return true
        }
    }

    /// Applies a group; a tag with the name of another one becomes that one.
    private mutating func applyMerging(_ group: SyncGroup, _ replica: Int64, _ now: Double) throws {
        while true {
            var next = self
            next.deniers = [:]
            do {
                try next.applyAll([group], replica, now)
                self = next
                return
            } catch let same as SameName {
                let inserted = same.tags.last { objects[$0]?.isAlive != true }
                guard inverted != .namesAreUnique, let tag = inserted else { throw Refused() }
                merged[tag] = same.tags.first { $0 != tag }
            }
        }
    }

    /// At the end of a save tags have different names, and a tag that a note has stays.
    private mutating func applyAll(_ groups: [SyncGroup], _ replica: Int64, _ now: Double) throws {
        for group in groups { try apply(group, replica, now) }
        if inverted != .denies, deniers.contains(where: { objects[$0]?.isAlive == true && $1 != [] }) {
            throw Refused()
        }
        var tags: [SyncValue: UUID] = [:]
        for (identity, tag) in objects.sorted(by: { $0.key.uuidString < $1.key.uuidString })
        where tag.entity == "Tag" && tag.isAlive {
            guard let name = tag.values["name"]?.value, name != .null else { continue }
            if let other = tags.updateValue(identity, forKey: name) { throw SameName(tags: [other, identity]) }
        }
    }

    /// The object that a merged one is.
    func end(_ identity: UUID) -> UUID { merged[identity].map(end) ?? identity }

    /// A group with the tags that merged ones are. Only tags are merged, and only notes refer to them.
    private func resolved(_ group: SyncGroup) -> SyncGroup {
        var group = group
        group.changes.removeAll { merged[$0.object] != nil && $0.kind == .delete }
        for index in group.changes.indices {
            if merged[group.changes[index].object] != nil { group.changes[index].life = 0 }
            group.changes[index].object = end(group.changes[index].object)
            if case .members(let added, let removed)? = group.changes[index].properties["tags"]?.change {
                group.changes[index].properties["tags"]?.change = .members(
                    added: added.map(end), removed: removed.map(end))
            }
        }
        return group
    }

    private mutating func apply(_ asked: SyncGroup, _ replica: Int64, _ now: Double) throws {
        let group = resolved(asked)
        if replica != 0, Self.isPoison(group) { throw Refused() }
        var inserted: Set<UUID> = []
        func time(_ change: SyncObjectChange) -> Double {
            inverted == .clocksAreBounded ? change.time : min(change.time, now)
        }
        for change in group.changes where change.kind == .insert {
            let old = objects[change.object]
            if let old, old.isAlive { continue }
            let stamp = Value(value: .null, position: position, time: time(change), replica: replica)
            let life = (old?.life ?? 0) + (inverted == .newLife && old != nil ? 0 : 1)
            objects[change.object] = Object(entity: change.entity, life: life, inserted: stamp)
            inserted.insert(change.object)
        }
        for change in group.changes where change.kind != .delete {
            let revives = change.entity == "Folder" && change.kind == .update && inverted != .revives
            guard var object = objects[change.object] else {
                // The server had it, and has forgotten that it was deleted.
                if change.life > 0, !isOfferedAgain, !revives { continue }
                throw Refused()
            }
            if !object.isAlive {
                if revives { throw Refused() }
                if inverted != .deleteWins { continue }
                object.isAlive = true
            }
            let isOwn = inserted.contains(change.object) || change.kind == .insert
            guard isOwn || change.life == 0 || change.life == object.life else { continue }
            for (name, new) in change.properties.sorted(by: { $0.key < $1.key }) {
                if case .moves = new.change { continue }
                let old = object.values[name] ?? object.inserted
                let meets = !inserted.contains(change.object) && old.position > new.base && old.replica != replica
                var own = Value(value: .null, position: position, time: time(change), replica: replica)
                guard try !meets || isTaken(name, new.change, old, own) else { continue }
                own.value = try value(new.change, name, old.value, position)
                if case .members(_, let removed) = new.change { deniers[change.object]?.subtract(removed) }
                object.values[name] = own
            }
            objects[change.object] = object
            if object.entity == "Line" { place(change.object) }
        }
        for change in group.changes {
            guard case .moves(let moves)? = change.properties["lines"]?.change, objects[change.object]?.isAlive == true,
                change.kind == .insert || change.life == 0 || change.life == objects[change.object]?.life
            else { continue }
            setLines(
                of: change.object, inverted == .ordersMerge ? moves.map(\.object) : move(moves, lines(change.object)))
        }
        for change in group.changes where change.kind == .delete {
            guard let object = objects[change.object], object.isAlive,
                change.life == 0 || change.life == object.life
            else { continue }
            delete(change.object, now)
        }
        try check()
    }

    private func isTaken(_ name: String, _ new: SyncPropertyChange.Change, _ old: Value, _ own: Value) throws -> Bool {
        switch name {
        case "hook":
            guard case (.value(.integer(let new)), .integer(let old)) = (new, old.value) else { return true }
            return (new > old) != (inverted == .hookDecides)
        case "server": return inverted == .serverWins
        case "client": return inverted != .clientWins
        case "sum", "tags", "lines": return true
        case "refuse":
            if inverted == .refuses { return true }
            throw Refused()
        default: return ((own.time, own.replica) > (old.time, old.replica)) != (inverted == .latestWins)
        }
    }

    private func value(
        _ change: SyncPropertyChange.Change, _ name: String, _ old: SyncValue, _ position: Int64
    ) throws -> SyncValue {
        switch change {
        case .value(.object(let target)):
            guard let object = objects[target] else { throw Refused() }
            return object.isAlive ? .object(target) : .null
        case .value(let value): return value
        case .difference(let difference):
            guard inverted != .sumsAdd, case .integer(let one) = old, case .integer(let other) = difference else {
                return difference
            }
            return .integer(one + other)
        case .members(let added, let removed):
            var members: Set<UUID> = []
            if case .objects(let old) = old, inverted != .membersMerge { members = Set(old) }
            members.subtract(removed)
            for member in added {
                guard let object = objects[member] else { throw Refused() }
                if object.isAlive { members.insert(member) }
            }
            return .objects(members.sorted { $0.uuidString < $1.uuidString })
        case .moves: return old
        }
    }

    /// Forgets what is dead.
    mutating func forget() {
        (objects, merged) = (objects.filter(\.value.isAlive), [:])
    }

    private func lines(_ folder: UUID) -> [UUID] {
        if case .objects(let lines)? = objects[folder]?.values["lines"]?.value { lines } else { [] }
    }

    private mutating func setLines(of folder: UUID, _ lines: [UUID]) {
        objects[folder]?.values["lines"] = Value(value: .objects(lines), position: position, time: 0, replica: 0)
    }

    /// Puts a line at the end of the folder that it has come to.
    private mutating func place(_ line: UUID) {
        var target: UUID?
        if case .object(let folder)? = objects[line]?.values["page"]?.value { target = folder }
        for folder in objects.keys where objects[folder]?.entity == "Folder" && objects[folder]?.isAlive == true {
            let old = lines(folder)
            if folder == target, !old.contains(line) { setLines(of: folder, old + [line]) }
            if folder != target, old.contains(line) { setLines(of: folder, old.filter { $0 != line }) }
        }
    }

    private func move(_ moves: [SyncMove], _ lines: [UUID]) -> [UUID] {
        var lines = lines
        for move in moves where lines.contains(move.object) {
            lines.removeAll { $0 == move.object }
            let before = move.predecessors.first { lines.contains($0) }
            let index = before.flatMap { lines.firstIndex(of: $0) }
            lines.insert(move.object, at: index.map { $0 + 1 } ?? 0)
        }
        return lines
    }

    // MARK: Rules of the model

    private mutating func delete(_ identity: UUID, _ now: Double) {
        objects[identity]?.isAlive = false
        objects[identity]?.values = [:]
        let server = Value(value: .null, position: position, time: now, replica: 0)
        for (other, object) in objects where object.isAlive {
            for (name, value) in object.values {
                switch value.value {
                case .object(identity) where name == "note":
                    if inverted != .cascades { delete(other, now) } else { objects[other]?.values[name] = server }
                case .object(identity):
                    if inverted != .nullifies { objects[other]?.values[name] = server }
                case .objects(let members) where members.contains(identity):
                    if name == "tags" { deniers[other, default: []].insert(identity) }
                    objects[other]?.values[name] = server
                    objects[other]?.values[name]?.value = .objects(members.filter { $0 != identity })
                default: break
                }
            }
        }
    }

    private func check() throws {
        for object in objects.values where object.isAlive {
            if case .integer(let rank)? = object.values["rank"]?.value, rank > 100 { throw Refused() }
            guard object.entity == "Comment" else { continue }
            guard case .object(let note)? = object.values["note"]?.value, objects[note]?.isAlive == true
            else { throw Refused() }
        }
    }

    /// The living objects, without the values that are missing.
    var contents: [UUID: [String: SyncValue]] {
        objects.filter(\.value.isAlive).mapValues { object in
            object.values.mapValues(\.value).filter { $0.value != .null && $0.value != .objects([]) }
        }
    }
}
