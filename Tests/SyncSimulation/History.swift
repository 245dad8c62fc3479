import Foundation

/// A step of a simulated history. Its numbers are taken modulo what there is, so that any part of a history is one.
enum Step: Codable, Hashable {
    /// A replica saves changes.
    case save(replica: Int, [Change])
    /// A replica's program changes objects without reading them, or deletes its history.
    case batch(replica: Int, Batch, value: Int)
    case deleteHistory(replica: Int)
    /// Another process saves changes in the replica's store, as an extension of an app does.
    case saveElsewhere(replica: Int, [Change])
    /// The replica's program changes objects in a context that stays, and saves them later, or gives them up.
    case edit(replica: Int, [Change])
    case endEdit(replica: Int, EditEnd)
    /// The user of a replica has the token of another account, or of the store's own.
    case signIn(replica: Int, isOther: Bool)
    /// The server's own program saves changes.
    case serverSave([Change])
    /// A replica sends a request.
    case send(replica: Int, Request)
    /// The server answers a request that is on its way, or an answer arrives. The message stays on its way if it is
    /// doubled.
    case deliver(message: Int, isDoubled: Bool)
    case lose(message: Int)
    /// The server gets the first part of a push.
    case cut(message: Int, bytes: Int)
    /// The replica's process ends at the next time that it reaches a step, or at once.
    case crash(replica: Int, step: Int)
    case crashServer(step: Int)
    /// A copy of a replica's two stores is made, they are set back to one, or a new device gets one.
    case backUp(replica: Int)
    case restore(replica: Int, moment: Int, RestoredPart)
    case copy(replica: Int, moment: Int)
    /// A copy of the server's store is made, or the store is set back to the newest one.
    case backUpServer(isNoted: Bool)
    case restoreServer
    /// The server forgets dead objects, or large values that no push has used.
    case forgetDead
    case forgetUploads
    /// The clock of a replica jumps.
    case jump(replica: Int, seconds: Double)
    /// Time passes.
    case pass(seconds: Double)
}

enum Batch: String, Codable, Hashable, CaseIterable {
    case update, delete, deleteNotes, insert
}

enum EditEnd: String, Codable, Hashable, CaseIterable {
    case save, undoAndSave, rollBack
}

enum RestoredPart: String, Codable, Hashable, CaseIterable {
    case both, app, side
}

enum Request: String, Codable, Hashable, CaseIterable {
    case session, push, pull
    /// A large value that an object waits for.
    case later
}

/// A change of a program's object.
enum Change: Codable, Hashable {
    case insertNote(value: Int)
    case insertFolder(value: Int)
    case insertTag(value: Int)
    case insertComment(note: Int, value: Int)
    case set(note: Int, attribute: Int, value: Int)
    case setRank(note: Int, value: Int)
    case add(note: Int, value: Int)
    /// A note gets a picture or a film. Some are large, and some equal.
    case show(note: Int, isFilm: Bool, value: Int)
    /// Two notes get the same value.
    case pair(note: Int, other: Int, value: Int)
    case move(note: Int, folder: Int?)
    case tag(note: Int, tag: Int, isTagged: Bool)
    case insertLine(folder: Int, at: Int, value: Int)
    case reorder(folder: Int, from: Int, to: Int)
    case rename(kind: Int, object: Int, value: Int)
    case delete(kind: Int, object: Int)
    /// A note is inserted with the UUID of another replica's note.
    case insertAgain(note: Int, value: Int)
}

extension Step {
    /// A random history.
    static func history(replicas: Int, count: Int, _ random: inout some RandomNumberGenerator) -> [Step] {
        var steps: [Step] = []
        for replica in 0..<replicas { steps.append(.send(replica: replica, .session)) }
        while steps.count < count { steps.append(make(replicas: replicas, &random)) }
        return steps
    }

    /// Whether a history has the step whose replica is the only writer.
    var isOfOneWriter: Bool {
        switch self {
        case .serverSave, .deleteHistory, .signIn, .backUp, .restore, .copy, .backUpServer, .restoreServer: false
        default: true
        }
    }

    private static func make(replicas: Int, _ random: inout some RandomNumberGenerator) -> Step {
        let replica = Int.random(in: 0..<replicas, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<2:
            return .serverSave((0..<Int.random(in: 1...3, using: &random)).map { _ in Change.make(&random) })
        case 2:
            guard Int.random(in: 0..<4, using: &random) > 0 else { return .deleteHistory(replica: replica) }
            return .batch(
                replica: replica, Batch.allCases.randomElement(using: &random) ?? .update,
                value: Int.random(in: 1...1_000_000, using: &random))
        case 3..<24: return save(replica, &random)
        case 24..<54:
            let request: Request =
                Int.random(in: 0..<20, using: &random) == 0 ? .session : Bool.random(using: &random) ? .push : .pull
            return .send(replica: replica, request)
        case 54..<88:
            return .deliver(
                message: Int.random(in: 0..<8, using: &random), isDoubled: Int.random(in: 0..<8, using: &random) == 0)
        case 88..<90: return .lose(message: Int.random(in: 0..<8, using: &random))
        case 90:
            return .cut(
                message: Int.random(in: 0..<8, using: &random), bytes: Int.random(in: 0..<10_000, using: &random))
        case 91: return .signIn(replica: replica, isOther: Int.random(in: 0..<4, using: &random) == 0)
        case 92: return .crash(replica: replica, step: Int.random(in: 0..<14, using: &random))
        case 93: return .crashServer(step: Int.random(in: 0..<8, using: &random))
        case 94..<96: return backup(replica, &random)
        case 96..<98: return .jump(replica: replica, seconds: Double(Int.random(in: -5000...5000, using: &random)))
        default: return .pass(seconds: Double(Int.random(in: 1...1000, using: &random)))
        }
    }
}

extension Step {
    private static func save(_ replica: Int, _ random: inout some RandomNumberGenerator) -> Step {
        let count = Int.random(in: 1...4, using: &random)
        let changes = (0..<count).map { _ in Change.make(&random) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .saveElsewhere(replica: replica, changes)
        case 1: return .edit(replica: replica, changes)
        case 2: return .endEdit(replica: replica, EditEnd.allCases.randomElement(using: &random) ?? .save)
        default: return .save(replica: replica, changes)
        }
    }

    private static func backup(_ replica: Int, _ random: inout some RandomNumberGenerator) -> Step {
        let moment = Int.random(in: 0..<8, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: return .backUp(replica: replica)
        case 5..<7:
            let part = RestoredPart.allCases.randomElement(using: &random) ?? .both
            return .restore(replica: replica, moment: moment, part)
        case 7..<9: return .copy(replica: replica, moment: moment)
        case 9: return .forgetDead
        case 10..<13: return .backUpServer(isNoted: Bool.random(using: &random))
        default: return .restoreServer
        }
    }
}

extension Change {
    fileprivate static func make(_ random: inout some RandomNumberGenerator) -> Change {
        func any() -> Int { Int.random(in: 0..<1_000_000, using: &random) }
        let value = Int.random(in: 1...1_000_000, using: &random)
        switch Int.random(in: 0..<42, using: &random) {
        case 0..<4: return .insertNote(value: value)
        case 4: return .insertFolder(value: value)
        case 5..<7: return .insertTag(value: value)
        case 7..<9: return .insertComment(note: any(), value: value)
        case 9..<17: return .set(note: any(), attribute: any(), value: value)
        case 17: return .setRank(note: any(), value: value % 110)
        case 18..<20: return .add(note: any(), value: value % 100)
        case 20..<23: return .pair(note: any(), other: any(), value: value)
        case 23..<26: return .move(note: any(), folder: Int.random(in: 0..<4, using: &random) == 0 ? nil : any())
        case 26..<29: return .tag(note: any(), tag: any(), isTagged: Int.random(in: 0..<3, using: &random) > 0)
        case 29..<32: return .rename(kind: any(), object: any(), value: value)
        case 32..<35: return .delete(kind: any(), object: any())
        case 36..<39: return .insertLine(folder: any(), at: any(), value: value)
        case 39..<42: return .reorder(folder: any(), from: any(), to: any())
        default: return .insertAgain(note: any(), value: value)
        }
    }
}

extension Step {
    /// The step in a history about large values.
    func withBlobs(_ random: inout some RandomNumberGenerator) -> Step {
        switch self {
        case .save(let replica, let changes): return .save(replica: replica, changes.map { $0.withBlobs(&random) })
        case .saveElsewhere(let replica, let changes):
            return .saveElsewhere(replica: replica, changes.map { $0.withBlobs(&random) })
        case .edit(let replica, let changes): return .edit(replica: replica, changes.map { $0.withBlobs(&random) })
        case .serverSave(let changes): return .serverSave(changes.map { $0.withBlobs(&random) })
        case .send(let replica, .pull) where Int.random(in: 0..<4, using: &random) == 0:
            return .send(replica: replica, .later)
        case .pass where Bool.random(using: &random): return .forgetUploads
        default: return self
        }
    }
}

extension Change {
    fileprivate func withBlobs(_ random: inout some RandomNumberGenerator) -> Change {
        switch self {
        case .set(let note, _, let value), .setRank(let note, let value), .add(let note, let value):
            guard Int.random(in: 0..<3, using: &random) > 0 else { return self }
            return .show(note: note, isFilm: Int.random(in: 0..<3, using: &random) == 0, value: value)
        default: return self
        }
    }
}
