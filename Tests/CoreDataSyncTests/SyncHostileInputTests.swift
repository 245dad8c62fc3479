import CoreData
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("A server that gets another message than it expects")
struct SyncHostileInputTests {
    private func scenario() throws -> SyncScenario {
        let scenario = try SyncScenario(devices: 1)
        try scenario.devices[0].save {
            let folder = $0.insert("Folder", "name", "folder")
            let note = $0.insertNote("one")
            note.setValue(folder, forKey: "folder")
            $0.insert("Comment", "text", "comment").setValue(note, forKey: "note")
        }
        try scenario.sync()
        return scenario
    }

    private func answer(_ scenario: SyncScenario, _ body: Data, newestBase: Int64? = nil) -> SyncResponse {
        scenario.answer(.push(SyncPushRequest(body: body, attempt: 1, newestBase: newestBase)))
    }

    /// The answer to a push of one change by a replica of its own.
    private func results(_ scenario: SyncScenario, _ change: SyncObjectChange) throws -> [SyncGroupResult] {
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
        guard case .push(_, let answer) = answer(scenario, try JSONEncoder().encode(push)) else {
            Issue.record("The server doesn't answer.")
            return []
        }
        return answer.results
    }

    private func change(
        _ entity: String, kind: SyncObjectChange.Kind = .insert, object: UUID = UUID(), life: Int64 = 0,
        time: Double = 0, _ properties: [String: SyncPropertyChange.Change]
    ) -> SyncObjectChange {
        SyncObjectChange(
            object: object, entity: entity, kind: kind, life: life, time: time,
            properties: properties.mapValues { SyncPropertyChange(base: 0, change: $0) })
    }

    @Test("refuses a push that is cut, wherever, and keeps what it has")
    func cut() throws {
        let scenario = try scenario()
        let push = SyncPush(
            replica: UUID(), number: 1, groups: [SyncGroup(changes: [change("Folder", ["name": .value(.text("x"))])])])
        let body = try JSONEncoder().encode(push)
        for length in stride(from: 0, to: body.count, by: 3) {
            guard case .failure(let failure) = answer(scenario, body.prefix(length)) else {
                Issue.record("The server takes \(length) bytes of \(body.count).")
                continue
            }
            expectEqual(failure.reason, .badRequest)
        }
        expectEqual(try scenario.service.contents().count, 3)
        expectEmpty(scenario.errors)
    }

    @Test(
        "refuses names and values that its model doesn't have, and says which",
        arguments: [
            ("Nothing", "name", SyncPropertyChange.Change.value(.text("x"))),
            ("SyncObject", "life", .value(.integer(7))), ("SyncServerState", "number", .value(.integer(7))),
            ("Folder", "nothing", .value(.text("x"))), ("Folder", "name", .value(.integer(1))),
            ("Folder", "name", .value(.data(Data([0])))), ("Folder", "name", .value(.composite(["a": .null]))),
            ("Folder", "name", .members(added: [], removed: [])), ("Folder", "name", .moves([])),
            ("Folder", "lines", .value(.text("x"))), ("Folder", "notes", .members(added: [], removed: [])),
            ("Note", "folder", .value(.objects([]))), ("Note", "tags", .value(.text("x"))),
            ("Note", "sum", .difference(.text("x"))), ("Note", "pair", .value(.double(1.5))),
            ("Note", "sum", .difference(.double(.nan))),
        ])
    func unknown(entity: String, property: String, change: SyncPropertyChange.Change) throws {
        let scenario = try scenario()
        let results = try results(scenario, self.change(entity, [property: change]))
        guard case .refused(let refusal)? = results.first else {
            Issue.record("The server takes \(entity).\(property) = \(change).")
            return
        }
        expectEqual(refusal.reason, .unknown)
        expectTrue(refusal.text.contains(property) || refusal.text.contains(entity) || refusal.property == property)
        expectEqual(try scenario.service.contents().count, 3)
    }

    @Test("refuses references to objects that don't exist or have another entity")
    func references() throws {
        let scenario = try scenario()
        let known = try scenario.service.contents()
        let note = try requireValue(known.first { $0.value["title"] != nil }?.key)
        for (target, reason) in [(UUID(), SyncRefusal.Reason.missingObject), (note, .unknown)] {
            let results = try results(scenario, change("Note", ["folder": .value(.object(target))]))
            guard case .refused(let refusal)? = results.first else {
                Issue.record("The server takes the reference.")
                continue
            }
            expectEqual(refusal.reason, reason)
        }
    }

    @Test("refuses a group with two changes of an object")
    func twoChanges() throws {
        let scenario = try scenario()
        let object = UUID()
        let changes = [SyncObjectChange.Kind.insert, .delete].map { change("Folder", kind: $0, object: object, [:]) }
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: changes)])
        guard case .push(_, let answer) = self.answer(scenario, try JSONEncoder().encode(push)),
            case .refused(let refusal)? = answer.results.first
        else {
            Issue.record("The server takes the group.")
            return
        }
        expectEqual(refusal.reason, .invalid)
        try scenario.sync()
    }

    @Test("takes groups that insert, delete and insert an object, one after the other")
    func oneAfterTheOther() throws {
        let scenario = try scenario()
        let object = UUID()
        let groups = [SyncObjectChange.Kind.insert, .delete, .insert].map {
            SyncGroup(changes: [change("Folder", kind: $0, object: object, ["name": .value(.text("\($0)"))])])
        }
        let push = SyncPush(replica: UUID(), number: 1, groups: groups)
        guard case .push(_, let answer) = self.answer(scenario, try JSONEncoder().encode(push)) else {
            Issue.record("The server doesn't answer.")
            return
        }
        expectEqual(answer.results, [.saved, .saved, .saved])
        try scenario.sync()
        expectEqual(try scenario.service.contents()[object]?["name"], .text("insert"))
    }

    @Test("takes a circle of new objects as one group")
    func circle() throws {
        let scenario = try scenario()
        let (folder, line) = (UUID(), UUID())
        let push = SyncPush(
            replica: UUID(), number: 1,
            groups: [
                SyncGroup(changes: [
                    change("Line", object: line, ["page": .value(.object(folder))]),
                    change(
                        "Folder", object: folder, ["lines": .moves([SyncMove(object: line, predecessors: [line])])]),
                ])
            ])
        guard case .push(_, let answer) = answer(scenario, try JSONEncoder().encode(push)) else {
            Issue.record("The server doesn't answer.")
            return
        }
        expectEqual(answer.results, [.saved])
    }

    @Test("bounds numbers that are beyond every range", arguments: [Int64.min, -1, Int64.max])
    func numbers(number: Int64) throws {
        let scenario = try scenario()
        for push in [
            SyncPush(replica: UUID(), number: number, groups: []),
            SyncPush(replica: try scenario.devices[0].replica.name, number: number, groups: []),
        ] {
            guard case .failure = answer(scenario, try JSONEncoder().encode(push)) else {
                Issue.record("The server takes the push \(number).")
                continue
            }
        }
        let identity = try requireValue(scenario.service.contents().first { $0.value["title"] != nil }?.key)
        let first = change(
            "Note", kind: .update, object: identity, life: number, ["sum": .difference(.integer(number))])
        _ = try results(scenario, first)
        // A second one overflows the sum, and is refused.
        let second = change("Note", kind: .update, object: identity, ["sum": .difference(.integer(number))])
        _ = try results(scenario, second)
        try scenario.sync()
    }

    @Test(
        "lets a clock of the year 1 or 9999 gain nothing",
        arguments: [-63_114_076_800, 252_455_616_000, .infinity, .nan])
    func clocks(time: Double) throws {
        let scenario = try scenario()
        let identity = try requireValue(scenario.service.contents().first { $0.value["title"] != nil }?.key)
        var change = change("Note", kind: .update, object: identity, time: time, ["latest": .value(.integer(1))])
        change.life = 1
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        _ = answer(scenario, try encoder.encode(push))
        scenario.now += 10
        try scenario.devices[0].save { try $0.first("Note").setValue(2, forKey: "latest") }
        try scenario.sync()
        expectEqual(try scenario.devices[0].values("Note", "latest"), ["2"])
    }

    @Test("doesn't know positions of the future, of another epoch or with another nonce")
    func positions() throws {
        let scenario = try scenario()
        let known = try requireValue(try scenario.devices[0].replica.position)
        for position in [
            SyncPosition(epoch: known.epoch, number: known.number + 1, nonce: 0),
            SyncPosition(epoch: known.epoch + 1, number: known.number, nonce: known.nonce),
            SyncPosition(epoch: known.epoch, number: known.number, nonce: known.nonce &+ 1),
            SyncPosition(epoch: known.epoch, number: -1, nonce: 0),
            SyncPosition(epoch: known.epoch, number: .max, nonce: 0),
        ] {
            for request in [
                SyncChangesRequest(replica: UUID(), since: position, cursor: nil, paged: nil, awaited: nil),
                SyncChangesRequest(replica: UUID(), since: nil, cursor: nil, paged: nil, awaited: position),
                SyncChangesRequest(
                    replica: UUID(), since: nil, cursor: SyncCursor(position: position, object: UUID()), paged: nil,
                    awaited: nil),
            ] {
                guard case .failure(let failure) = scenario.answer(.changes(request)) else {
                    Issue.record("The server knows \(position).")
                    continue
                }
                expectTrue(failure.reason == .restored || failure.reason == .expired)
            }
        }
        let many = SyncSessionRequest(
            replica: UUID(), positions: Array(repeating: known, count: 65), answeredPush: .max)
        guard case .failure(let failure) = scenario.answer(.session(many)) else {
            Issue.record("The server takes 65 positions.")
            return
        }
        expectEqual(failure.reason, .badRequest)
    }

    @Test("refuses a push that is larger than its limit")
    func large() throws {
        let scenario = try scenario()
        try scenario.startServer(pushBytes: 1000)
        guard case .failure(let failure) = answer(scenario, Data(count: 1001)) else {
            Issue.record("The server takes 1,001 bytes.")
            return
        }
        expectEqual(failure.reason, .tooLarge)
    }

    @Test("takes names, values and policies of random changes without an end of the process")
    func random() throws {
        let scenario = try scenario()
        let seed = TestRun.seed(for: "random changes")
        var random = SeededGenerator(seed: seed)
        let known = try scenario.service.contents().keys.sorted { $0.uuidString < $1.uuidString }
        let names = [
            "name", "title", "folder", "tags", "lines", "sum", "pair", "id", "note", "rank", "server", "x", "",
        ]
        let entities = ["Note", "Folder", "Comment", "Tag", "Line", "SyncObject", "", "note"]
        func uuid() -> UUID {
            withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        var made: [UUID] = []
        func identity() -> UUID {
            if Bool.random(using: &random) { return known.randomElement(using: &random)! }
            if Bool.random(using: &random), let former = made.randomElement(using: &random) { return former }
            made.append(uuid())
            return made.last!
        }
        func value() -> SyncValue {
            let values: [SyncValue] = [
                .null, .boolean(true), .integer(.max), .integer(-1), .double(.nan), .text(""), .text("\u{0}"),
                .date(.infinity), .uuid(uuid()), .data(Data()), .object(identity()),
                .objects([identity(), identity()]),
                .composite(["a": .null]), .uri(":"), .decimal(.nan),
            ]
            return values.randomElement(using: &random)!
        }
        func propertyChange() -> SyncPropertyChange.Change {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .difference(value())
            case 1: .members(added: [identity()], removed: [identity()])
            case 2: .moves([SyncMove(object: identity(), predecessors: [identity()])])
            default: .value(value())
            }
        }
        for _ in 0..<TestRun.quick(200, long: 5000) {
            let kinds: [SyncObjectChange.Kind] = [.insert, .update, .delete]
            let changes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                change(
                    entities.randomElement(using: &random)!, kind: kinds.randomElement(using: &random)!,
                    object: identity(),
                    life: Int64.random(in: -1...3, using: &random),
                    Dictionary(
                        (0..<Int.random(in: 0...3, using: &random)).map { _ in
                            (names.randomElement(using: &random)!, propertyChange())
                        }
                    ) { one, _ in one })
            }
            let push = SyncPush(replica: uuid(), number: 1, groups: [SyncGroup(changes: changes)])
            guard case .push = answer(scenario, try JSONEncoder().encode(push)) else {
                Issue.record("The server doesn't answer \(changes), seed \(seed).")
                continue
            }
        }
        // The devices take what came of it.
        try scenario.sync()
        #expect(scenario.errors.isEmpty, "seed \(seed)")
    }
}
