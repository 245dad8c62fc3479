import CoreData
import CoreDataServer

/// The changes of one transaction, for the clients of the teams.
struct ChangeTransaction: Sendable {
    /// The number, which clients send again to go on after a lost connection.
    let number: Int64
    /// Where the history goes on after the transaction.
    let token: NSPersistentHistoryToken
    /// The changes of each team, in their order.
    let changes: [String: [ManagedObjectSnapshot]]

    /// The server-sent events of a team; nil if it has none.
    ///
    /// Only the last event has the number: a client that has lost its connection before gets all of them once more.
    func events(of team: String) throws -> String? {
        guard let changes = changes[team], !changes.isEmpty else { return nil }
        var text = ""
        for (index, change) in changes.enumerated() {
            if index == changes.count - 1 { text += "id: \(number)\n" }
            text += "event: change\ndata: \(String(decoding: try change.json(), as: UTF8.self))\n\n"
        }
        return text
    }
}

/// A message to a client that listens.
enum ChangeMessage: Sendable {
    case transaction(ChangeTransaction)
    /// Nothing has changed, and the connection lives.
    case alive
}
