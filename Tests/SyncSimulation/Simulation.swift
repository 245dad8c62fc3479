import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// One history: replicas, a server, and the messages between them.
final class Simulation {
    struct Setup {
        var seed: UInt64
        var replicas = 2
        var stores = SimulatedStoreKind.memory
        /// Whether one replica is the only writer: the server has no reason to refuse a change.
        var isAlone = false
        /// Whether values travel apart from their objects.
        var hasBlobs = false
        var rule: Reference.Rule?
        var replicaVariant = SyncReplicaVariant()
        var serverVariant = SyncServerVariant()
    }

    /// A message on its way.
    private struct Message {
        let replica: Int
        let account: String
        let request: SyncRequest
        var response: SyncResponse?
    }

    private let setup: Setup
    private var hasPoison = false
    private let clock = SimulatedClock()
    private let server: SimulatedServer
    private var replicas: [SimulatedReplica] = []
    private var messages: [Message] = []
    private(set) var log: [String] = []
    private let isLogged: Bool
    private var hasRestores = false
    /// The devices that share a store's past with another one, or have compared objects without a history.
    private var hasGuesses: Set<Int> = []
    private static let mostReplicas = 8

    init(_ setup: Setup, isLogged: Bool = false) throws {
        self.setup = setup
        self.isLogged = isLogged
        let folder = setup.stores == .memory ? nil : try TemporaryFolder()
        server = try SimulatedServer(setup, clock: clock, in: folder)
        for index in 0..<setup.replicas {
            replicas.append(try SimulatedReplica(index, setup, clock: clock, in: folder))
        }
        for replica in replicas { watchDecisions(on: replica) }
    }

    /// Tells a replica's app which of its values the server has decided on. A server that was restored has forgotten
    /// some.
    private func watchDecisions(on replica: SimulatedReplica) {
        replica.isDecided = { [unowned self, unowned replica] object, name, value, position in
            hasRestores || hasGuesses.contains(replica.index)
                || server.hasDecided(value, name, of: object, by: replica.names, at: position)
        }
    }

    /// Runs the steps, lets all replicas become quiet, and compares.
    func run(_ steps: [Step]) throws {
        defer { try? server.remove() }
        for (number, step) in steps.enumerated() {
            note("\(number): \(step)")
            do {
                try run(step)
            } catch let finding as Finding {
                throw Finding("At step \(number), \(step): \(finding)")
            } catch {
                throw Finding("At step \(number), \(step): \(error)")
            }
        }
        do {
            try settle()
        } catch let finding as Finding {
            throw finding
        } catch {
            throw Finding("While all become quiet: \(error)")
        }
    }

    private func note(_ line: @autoclosure () -> String) {
        if isLogged { log.append(line()) }
    }

    private func note(_ request: SyncRequest, _ response: SyncResponse?, of replica: Int) {
        guard isLogged else { return }
        if case .push(let push) = request {
            note("  push of \(replica), attempt \(push.attempt): \(String(decoding: push.body, as: UTF8.self))")
        } else {
            note("  request of \(replica): \(request)")
        }
        note("  answer: \(response.map { "\($0)" } ?? "none")")
    }

    // MARK: Steps

    private func run(_ step: Step) throws {
        clock.now += 1
        switch step {
        case .save(let replica, let changes): try replicas[replica % replicas.count].save(changes)
        case .saveElsewhere(let replica, let changes):
            try replicas[replica % replicas.count].saveElsewhere(changes)
        case .edit(let replica, let changes): try replicas[replica % replicas.count].edit(changes)
        case .endEdit(let replica, let end): try replicas[replica % replicas.count].endEdit(end)
        case .signIn(let replica, let isOther): try replicas[replica % replicas.count].signIn(isOther: isOther)
        case .serverSave(let changes): try server.save(changes)
        case .send(let replica, let request): try send(replicas[replica % replicas.count], request)
        case .deliver(let index, let isDoubled):
            guard !messages.isEmpty else { return }
            let index = index % messages.count
            let message = messages[index]
            if !isDoubled { messages.remove(at: index) }
            if message.response == nil {
                let response = try server.answer(message.request, account: message.account)
                note(message.request, response, of: message.replica)
                guard let response else { return }
                var answered = message
                answered.response = response
                messages.append(answered)
            } else {
                try receive(message)
            }
        case .lose(let index): if !messages.isEmpty { messages.remove(at: index % messages.count) }
        case .cut(let index, let bytes): try cut(index, bytes)
        case .crash(let replica, let step): replicas[replica % replicas.count].stepsToCrash = step
        case .crashServer(let step): server.stepsToCrash = step
        case .backUp(let replica): try replicas[replica % replicas.count].backUp()
        case .restore(let replica, let moment, let part):
            try replicas[replica % replicas.count].restore(moment, part)
            hasRestores = true
        case .deleteHistory(let replica):
            try replicas[replica % replicas.count].deleteHistory()
            hasGuesses.insert(replica % replicas.count)
        case .batch(let replica, let batch, let value): try replicas[replica % replicas.count].execute(batch, value)
        case .copy(let replica, let moment): try copy(replicas[replica % replicas.count], moment)
        case .backUpServer(let isNoted): try server.backUp(isNoted: isNoted)
        case .restoreServer:
            try server.restore()
            hasRestores = true
        case .forgetDead: try server.forget()
        case .forgetUploads: try server.service.forgetUploads(before: clock.now)
        case .jump(let replica, let seconds): replicas[replica % replicas.count].clockOffset += seconds
        case .pass(let seconds): clock.now += seconds
        }
    }

    /// The server gets a part of a push. It saves nothing, and says so: the transport tells the replica of the failure,
    /// or loses the answer.
    private func cut(_ index: Int, _ bytes: Int) throws {
        guard !messages.isEmpty, case .push(var push) = messages[index % messages.count].request,
            messages[index % messages.count].response == nil, !push.body.isEmpty
        else { return }
        push.body = push.body.prefix(bytes % push.body.count)
        let account = messages[index % messages.count].account
        guard case .failure(let failure)? = try server.answer(.push(push), account: account),
            [.badRequest, .accountChanged].contains(failure.reason)
        else {
            throw Finding("The server takes the first \(push.body.count) bytes of a push.")
        }
    }

    private func send(_ replica: SimulatedReplica, _ kind: Request) throws {
        var request: SyncRequest?
        try replica.run {
            switch kind {
            case .session: request = try $0.sessionRequest()
            case .push: request = try $0.pushRequest()
            case .pull: request = try $0.pullRequest()
            case .later: request = try $0.laterRequest()
            }
        }
        guard let request else { return }
        if case .push(let push) = request, push.attempt == 1 {
            try checkBases(push, of: replica)
            try checkGroups(push, of: replica)
            try checkTargets(push, of: replica)
        }
        messages.append(
            Message(replica: replica.index, account: try replica.account, request: request, response: nil))
    }

    /// Makes a device with the backup of another one.
    private func copy(_ replica: SimulatedReplica, _ moment: Int) throws {
        guard replica.backupCount > 0, replicas.count < Self.mostReplicas else { return }
        let copy = try SimulatedReplica(
            replicas.count, copyOf: replica, moment % replica.backupCount, seed: setup.seed)
        watchDecisions(on: copy)
        replicas.append(copy)
        hasGuesses.formUnion([replica.index, copy.index])
        try copy.run { try $0.resume() }
    }

    private func receive(_ message: Message) throws {
        guard let response = message.response else { return }
        if case .failure(let failure) = response, failure.reason == .unavailable { return }
        if setup.isAlone, case .push(_, let answer) = response { try checkOnlyWriter(answer) }
        let replica = replicas[message.replica]
        let (before, position) = (try replica.contents(), try replica.replica.position)
        try replica.run { try $0.receive(response, to: message.request) }
        let reached = try replica.replica.position?.number
        note("  replica \(message.replica) has the position \(reached.map { "\($0)" } ?? "none")")
        // An import has looked at what the app saved.
        if try replica.replica.position != position { try check(replica, before) }
    }

    // MARK: The end

    /// Lets all replicas exchange everything, without faults.
    private func settle() throws {
        messages = []
        for replica in replicas {
            replica.stepsToCrash = nil
            try replica.signIn(isOther: false)
        }
        try server.begin()
        let rounds = setup.hasBlobs ? 600 : 60
        for round in 0..<rounds {
            var isQuiet = true
            for replica in replicas {
                for kind in [Request.push, .pull, .later] {
                    try send(replica, kind)
                    if kind == .later, !messages.isEmpty { isQuiet = false }
                    guard var message = messages.popLast() else { continue }
                    clock.now += 1
                    message.response = try server.answer(message.request, account: message.account)
                    note(message.request, message.response, of: message.replica)
                    try receive(message)
                }
                if try !replica.replica.isQuiet() { isQuiet = false }
            }
            if isQuiet, try compare() == nil { return try finish() }
            if round == rounds - 1 {
                throw Finding(try compare() ?? "A replica isn't quiet after \(rounds) rounds.")
            }
        }
    }

    private func finish() throws {
        for replica in replicas {
            try checkWrites(of: replica)
            if !hasRestores, hasGuesses.isEmpty, replica.names.count > 1 {
                throw Finding("Replica \(replica.index) has taken another name, and nothing was restored or copied.")
            }
        }
        let (server, expected) = (stripped(try server.service.contents()), server.expected)
        if let difference = Self.difference(server, expected) {
            throw Finding("The server isn't as the rules say: \(difference)")
        }
    }

    /// The first difference between a replica and the server; nil if there is none.
    private func compare() throws -> String? {
        let server = stripped(try server.service.contents())
        for replica in replicas {
            if let difference = Self.difference(stripped(try replica.contents()), server) {
                return "Replica \(replica.index) differs from the server: \(difference)"
            }
        }
        return nil
    }

    private func stripped(_ contents: Contents) -> Contents {
        contents.mapValues { $0.filter { $0.value != .null && $0.value != .objects([]) } }
    }

    private static func difference(_ one: Contents, _ other: Contents) -> String? {
        for (identity, values) in one.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            guard let others = other[identity] else { return "\(identity) \(values) is in the first alone." }
            if values != others { return "\(identity) is \(values) and \(others)." }
        }
        for (identity, values) in other.sorted(by: { $0.key.uuidString < $1.key.uuidString })
        where one[identity] == nil {
            return "\(identity) \(values) is in the second alone."
        }
        return nil
    }

    // MARK: Every moment

    /// A replica has the contents of its position, apart from what its program has changed and the server hasn't
    /// answered; and that is as the program left it.
    private func check(_ replica: SimulatedReplica, _ before: Contents) throws {
        guard setup.rule == nil, let position = try replica.replica.position,
            let expected = server.contents(at: position)
        else { return }
        let masks = try replica.replica.masks()
        let contents = try replica.contents()
        try checkOwnWrites(replica, contents, at: position.number)
        let place = "Replica \(replica.index) has position \(position.number)"
        for identity in Set(expected.keys).union(contents.keys) where !masks.held.contains(identity) {
            if masks.inserted.contains(identity) || masks.deleted.contains(identity) { continue }
            // A folder that was deleted waits for the answer to a change that may bring it back.
            if contents[identity]?["lines"] != nil, expected[identity] == nil, masks.properties[identity] != nil {
                continue
            }
            guard let found = contents[identity], let wanted = expected[identity] else {
                let (wanted, found) = (expected[identity].map { "\($0)" }, contents[identity].map { "\($0)" })
                throw Finding("\(place), where \(identity) is \(wanted ?? "dead"), and has \(found ?? "nothing").")
            }
            for name in Set(found.keys).union(wanted.keys) where !(masks.properties[identity]?.contains(name) ?? false)
            {
                let (one, other) = (found[name] ?? .null, wanted[name] ?? .null)
                let pending = masks.deleted.union(masks.held).union(masks.inserted)
                if Self.isSame(one, other, without: pending) { continue }
                throw Finding(
                    "\(place), where \(identity).\(name) is \(other), and has \(one)."
                )
            }
        }
        for (identity, names) in masks.properties where masks.inserted.union(masks.deleted).contains(identity) == false
        {
            // A tag may take over a change of one that was merged with it.
            for name in names where !["sum", "tags", "lines", "folder", "note", "page", "name"].contains(name) {
                guard let old = before[identity]?[name], let new = contents[identity]?[name], old != new else {
                    continue
                }
                throw Finding(
                    "An import of replica \(replica.index) changes \(identity).\(name) from \(old) to \(new).")
            }
        }
    }

    /// A replica that hasn't the position of its own push yet shows what its program saved.
    private func checkOwnWrites(_ replica: SimulatedReplica, _ contents: Contents, at position: Int64) throws {
        // Devices with a copied store share names.
        guard replica.names.count == 1, !hasGuesses.contains(replica.index) else { return }
        for (id, values) in replica.writes {
            guard let identity = try replica.identity(of: id), let object = contents[identity] else { continue }
            for (name, write) in values {
                guard let sent = server.position(ofSent: name, of: identity, by: replica.names[0]), sent > position,
                    object[name] ?? .null != write.value
                else { continue }
                throw Finding(
                    "Replica \(replica.index) at position \(position) has forgotten its own \(identity).\(name).")
            }
        }
    }

    /// The base of a change isn't newer than what the program saw when it made the change.
    private func checkBases(_ request: SyncPushRequest, of replica: SimulatedReplica) throws {
        guard !hasGuesses.contains(replica.index) else { return }
        let push = try JSONDecoder().decode(SyncPush.self, from: request.body)
        var changes: [UUID: SyncObjectChange] = [:]
        for change in push.groups.flatMap(\.changes) where change.kind == .update { changes[change.object] = change }
        for (id, values) in replica.writes {
            guard let identity = try replica.identity(of: id), let change = changes[identity] else { continue }
            for (name, write) in values {
                guard let new = change.properties[name], case .value(write.value) = new.change,
                    new.base > write.position
                else { continue }
                throw Finding(
                    "Replica \(replica.index) sends \(identity).\(name) with the base \(new.base), and its program "
                        + "saved it at position \(write.position).")
            }
        }
    }

    /// The server refuses nothing of its only writer, until it can't end a group: later ones need its objects.
    private func checkOnlyWriter(_ answer: SyncPushAnswer) throws {
        for case .refused(let refusal) in answer.results {
            if refusal.reason == .poison { hasPoison = true }
            guard !hasPoison else { return }
            throw Finding("The server refuses a change of its only writer: \(answer.results)")
        }
    }

    /// A group refers to no object that was new when the push was made, and that a later group or a later push brings.
    private func checkTargets(_ request: SyncPushRequest, of replica: SimulatedReplica) throws {
        let groups = try JSONDecoder().decode(SyncPush.self, from: request.body).groups
        var later = replica.insertionsAtFreeze
        for group in groups.reversed() {
            let targets = Set(group.changes.flatMap { $0.properties.values.flatMap(\.change.objects) })
            if let target = targets.first(where: later.contains) {
                throw Finding("A group refers to \(target), which comes later: \(group)")
            }
            later.formUnion(group.changes.filter { $0.kind == .insert }.map(\.object))
        }
    }

    /// The objects of one save are in one group. Saves after the push was made aren't part of it.
    private func checkGroups(_ request: SyncPushRequest, of replica: SimulatedReplica) throws {
        guard !hasGuesses.contains(replica.index) else { return }
        let push = try JSONDecoder().decode(SyncPush.self, from: request.body)
        var groups: [UUID: Int] = [:]
        for (number, group) in push.groups.enumerated() {
            for change in group.changes { groups[change.object] = number }
        }
        for save in try replica.takeSaves({ groups[$0] != nil }) {
            let numbers = Set(save.compactMap { groups[$0] })
            if numbers.count > 1 {
                throw Finding("Replica \(replica.index) sends one save in \(numbers.count) groups.")
            }
        }
    }

    /// Whether values are equal apart from references to objects.
    private static func isSame(_ one: SyncValue, _ other: SyncValue, without objects: Set<UUID>) -> Bool {
        func plain(_ value: SyncValue) -> SyncValue {
            switch value {
            case .object(let object) where objects.contains(object): return .null
            case .objects(let members):
                let rest = members.filter { !objects.contains($0) }
                return rest.isEmpty ? .null : .objects(rest)
            default: return value
            }
        }
        return plain(one) == plain(other)
    }

    /// The last value that an app saved was sent, unless the object is gone or the program was told.
    private func checkWrites(of replica: SimulatedReplica) throws {
        let (masks, living) = (try replica.replica.masks(), try server.service.contents())
        for (id, values) in replica.writes {
            guard let identity = try replica.identity(of: id), living[identity] != nil,
                !masks.problems.contains(identity)
            else { continue }
            for (name, write) in values {
                let sent = server.sent(identity, name, by: replica.names)
                if sent.contains(write.value) || sent.isEmpty && write.value == .null { continue }
                throw Finding(
                    "Replica \(replica.index) saved \(identity).\(name) as \(write.value), and never sent that.")
            }
        }
    }
}
