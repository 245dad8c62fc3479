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
        var rule: Reference.Rule?
        var replicaVariant = SyncReplicaVariant()
        var serverVariant = SyncServerVariant()
    }

    /// A message on its way.
    private struct Message {
        let replica: Int
        let request: SyncRequest
        var response: SyncResponse?
    }

    private let setup: Setup
    private let clock = SimulatedClock()
    private let service: SyncService
    private var replicas: [SimulatedReplica] = []
    private var messages: [Message] = []
    private var reference: Reference
    /// The pushes that the server has answered, by replica and number.
    private var answered: Set<String> = []
    /// The attribute values that each replica has sent last, by objects.
    private var sent: [Int: [UUID: [String: SyncValue]]] = [:]
    private(set) var log: [String] = []

    init(_ setup: Setup) throws {
        self.setup = setup
        reference = Reference(inverted: setup.rule)
        guard let model = SyncServerModel.merged(with: SimulationModel.model) else {
            throw Finding("The model of the server can't be made.")
        }
        var nonces = SeededGenerator(seed: setup.seed ^ 0xA5A5)
        var limits = SyncLimits()
        limits.pageObjects = 3
        service = try SyncService(
            SimulatedStore.open(model), limits: limits, variant: setup.serverVariant, now: { [clock] in clock.now },
            makeNonce: { Int64(truncatingIfNeeded: nonces.next()) })
        for index in 0..<setup.replicas {
            replicas.append(
                try SimulatedReplica(
                    index, clock: clock, seed: setup.seed &+ UInt64(index) &* 7919, variant: setup.replicaVariant))
        }
    }

    /// Runs the steps, lets all replicas become quiet, and compares.
    func run(_ steps: [Step]) throws {
        for (number, step) in steps.enumerated() {
            log.append("\(number): \(step)")
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

    // MARK: Steps

    private func run(_ step: Step) throws {
        clock.now += 1
        switch step {
        case .save(let replica, let changes): try replicas[replica % replicas.count].save(changes)
        case .send(let replica, let request): try send(replicas[replica % replicas.count], request)
        case .deliver(let index, let isDoubled):
            guard !messages.isEmpty else { return }
            let index = index % messages.count
            let message = messages[index]
            if !isDoubled { messages.remove(at: index) }
            if message.response == nil {
                messages.append(Message(replica: message.replica, request: message.request, response: answer(message)))
            } else {
                try receive(message)
            }
        case .lose(let index): if !messages.isEmpty { messages.remove(at: index % messages.count) }
        case .crash(let replica, let step): replicas[replica % replicas.count].stepsToCrash = step
        case .jump(let replica, let seconds): replicas[replica % replicas.count].clockOffset += seconds
        case .pass(let seconds): clock.now += seconds
        }
    }

    private func send(_ replica: SimulatedReplica, _ kind: Request) throws {
        var request: SyncRequest?
        try replica.run {
            switch kind {
            case .session: request = try $0.sessionRequest()
            case .push: request = try $0.pushRequest()
            case .pull: request = try $0.pullRequest()
            }
        }
        if let request { messages.append(Message(replica: replica.index, request: request, response: nil)) }
    }

    private func answer(_ message: Message) -> SyncResponse {
        let response = service.answer(message.request, account: "one")
        if case .push(let bytes) = message.request, case .push(let number, let answer) = response,
            let push = try? JSONDecoder().decode(SyncPush.self, from: bytes),
            answered.insert("\(push.replica) \(number)").inserted
        {
            let saved = reference.apply(push, at: clock.now)
            for change in push.groups.flatMap(\.changes) {
                for (name, property) in change.properties {
                    if case .value(let value) = property.change {
                        sent[message.replica, default: [:]][change.object, default: [:]][name] = value
                    }
                }
            }
            if setup.rule == nil {
                log.append("  answered \(number) of \(message.replica): \(answer.results) \(saved)")
            }
        }
        return response
    }

    private func receive(_ message: Message) throws {
        guard let response = message.response else { return }
        if case .failure(let failure) = response {
            throw Finding("The server answers \(failure.reason): \(failure.text)")
        }
        let replica = replicas[message.replica]
        let (before, position) = (try replica.contents(), try replica.replica.position)
        try replica.run { try $0.receive(response, to: message.request) }
        // An import has looked at what the app saved.
        if try replica.replica.position != position { try check(replica, before) }
    }

    // MARK: The end

    /// Lets all replicas exchange everything, without faults.
    private func settle() throws {
        messages = []
        for replica in replicas { replica.stepsToCrash = nil }
        let rounds = 60
        for round in 0..<rounds {
            var isQuiet = true
            for replica in replicas {
                for kind in [Request.push, .pull, .pull, .pull] {
                    try send(replica, kind)
                    guard let message = messages.popLast() else { continue }
                    clock.now += 1
                    try receive(Message(replica: message.replica, request: message.request, response: answer(message)))
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
        for replica in replicas { try checkWrites(of: replica) }
        let (server, expected) = (stripped(try service.contents()), reference.contents)
        if let difference = Self.difference(server, expected) {
            throw Finding("The server isn't as the rules say: \(difference)")
        }
    }

    /// The first difference between a replica and the server; nil if there is none.
    private func compare() throws -> String? {
        let server = stripped(try service.contents())
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
            let expected = reference.snapshots[position.number]
        else { return }
        let masks = try replica.replica.masks()
        let contents = try replica.contents()
        let place = "Replica \(replica.index) has position \(position.number)"
        for identity in Set(expected.keys).union(contents.keys) where !masks.held.contains(identity) {
            if masks.inserted.contains(identity) || masks.deleted.contains(identity) { continue }
            guard let found = contents[identity], let wanted = expected[identity] else {
                let (wanted, found) = (expected[identity].map { "\($0)" }, contents[identity].map { "\($0)" })
                throw Finding("\(place), where \(identity) is \(wanted ?? "dead"), and has \(found ?? "nothing").")
            }
            for name in Set(found.keys).union(wanted.keys) where !(masks.properties[identity]?.contains(name) ?? false)
            {
                let (one, other) = (found[name] ?? .null, wanted[name] ?? .null)
                if Self.isSame(one, other, without: masks.deleted.union(masks.held)) { continue }
                throw Finding(
                    "\(place), where \(identity).\(name) is \(other), and has \(one)."
                )
            }
        }
        for (identity, names) in masks.properties where masks.inserted.union(masks.deleted).contains(identity) == false
        {
            for name in names where !["sum", "tags", "lines", "folder", "note", "page"].contains(name) {
                guard let old = before[identity]?[name], let new = contents[identity]?[name], old != new else {
                    continue
                }
                throw Finding(
                    "An import of replica \(replica.index) changes \(identity).\(name) from \(old) to \(new).")
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
        let (masks, living) = (try replica.replica.masks(), try service.contents())
        for (id, values) in replica.writes {
            guard let identity = try replica.replica.identity(of: id), living[identity] != nil,
                !masks.problems.contains(identity)
            else { continue }
            for (name, value) in values where sent[replica.index]?[identity]?[name] ?? .null != value {
                throw Finding("Replica \(replica.index) saved \(identity).\(name) as \(value), and never sent that.")
            }
        }
    }
}
