// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataSync
import OpenCoreData

/// The state of a store that syncs, as lines of text.
struct SyncStatusText {
    let status: SyncStoreStatus
    /// The changes that are listed.
    let changes: [SyncStoreStatus.Change]
    let names: SyncObjectNames

    var lines: [String] {
        stateLines + pendingLines + savesLines + pushLines + pageLines + heldLines + largeValueLines + problemLines
    }

    // MARK: The replica

    private var stateLines: [String] {
        var lines = [
            "Account: \(status.account ?? "none yet")", "Position: \(Self.position(status))",
            "Syncs now: \(Self.lease(status.lease))",
        ]
        if status.scopes != nil { lines.append("Scopes: the account has a part of the server's store") }
        return lines + status.notices.map { "Notice: \($0.text)" }
    }

    /// The position in words.
    static func position(_ status: SyncStoreStatus) -> String {
        status.position.map { "epoch \($0.epoch), number \($0.number)" } ?? "none yet"
    }

    /// The process that syncs, in words.
    static func lease(_ lease: SyncStoreStatus.Lease?) -> String {
        guard let lease else { return "no process" }
        return lease.isHeld
            ? "the process \(lease.owner), until \(time(lease.until)) unless it says so again"
            : "no process; the process \(lease.owner) has ended before \(time(lease.until))"
    }

    /// A time in whole seconds.
    static func time(_ date: Date) -> String {
        DateText.text(of: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
    }

    // MARK: To the server

    private var pendingLines: [String] {
        guard status.pendingCount > 0 else { return ["Pending: no change"] }
        let counts = status.pending.map { [$0.entityName, Self.kinds($0)] }
        let list = changes.map { change in
            [change.kind.rawValue, names.name(of: change.object) + Self.properties(change)]
        }
        let lines = ColumnLayout(rows: counts).lines + ColumnLayout(rows: list).lines
        return ["Pending: changes of \(Wording.count(status.pendingCount, "object"))"] + lines.map { "  \($0)" }
    }

    /// The numbers of each kind: `2 insertions, 1 deletion`.
    static func kinds(_ count: SyncStoreStatus.EntityCount) -> String {
        [(count.insertions, "insertion"), (count.changes, "change"), (count.deletions, "deletion")]
            .filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) }.joined(separator: ", ")
    }

    /// The properties that a change names. An insertion has all of them.
    private static func properties(_ change: SyncStoreStatus.Change) -> String {
        let keys = change.kind == .change ? ": \(change.keys.joined(separator: ", "))" : ""
        return keys + (change.push.map { " [push \($0)]" } ?? "")
    }

    private var savesLines: [String] {
        guard let first = status.saves.first else { return ["Saves that the engine hasn't looked at: none"] }
        return [
            "Saves that the engine hasn't looked at: \(status.saves.count), the first one at \(Self.time(first.time))"
        ]
    }

    private var pushLines: [String] {
        guard !status.pushes.isEmpty else { return [] }
        return ["Pushes under way: \(status.pushes.count)"] + status.pushes.map { "  \(Self.text($0))" }
    }

    /// A push in words.
    static func text(_ push: SyncStoreStatus.Push) -> String {
        let head = "number \(push.number), \(Wording.count(push.objectCount, "object"))"
        if push.isAnswered { return "\(head), answered, the import of its changes is to come" }
        guard push.attempts > 0 else { return "\(head), not sent" }
        return "\(head), sent \(Wording.count(push.attempts, "time")), not answered"
    }

    // MARK: From the server

    private var pageLines: [String] {
        guard !status.pages.isEmpty else { return [] }
        return ["Pages that aren't imported: \(Self.text(status.pages))"]
    }

    /// Pages in words.
    static func text(_ pages: [SyncStoreStatus.Page]) -> String {
        let count = pages.reduce(0) { $0 + $1.objectCount }
        let end = pages.last?.isLast == true ? "the last one is there" : "further ones follow"
        return "\(pages.count) with \(Wording.count(count, "object")), \(end)"
    }

    private var heldLines: [String] {
        guard !status.held.isEmpty else { return [] }
        return ["States of the server that the store can't have yet: \(status.held.count)"]
            + status.held.map { "  \(names.fullName(of: $0.object)): \($0.reason)" }
    }

    private var largeValueLines: [String] {
        guard !status.largeValues.isEmpty else { return [] }
        return ["Large values to come: \(status.largeValues.count)"]
            + status.largeValues.map { "  \(names.name(of: $0.object)), \($0.key): \(Self.text($0))" }
    }

    /// The state of a large value in words.
    static func text(_ value: SyncStoreStatus.LargeValue) -> String {
        let size = value.size.map { "\(value.received) of \(Wording.count($0, "byte"))" } ?? "of unknown size"
        return size + (value.isLater ? "" : "; the import waits for it")
    }

    // MARK: Problems

    private var problemLines: [String] {
        guard !status.problems.isEmpty else { return ["Problems: none"] }
        return ["Problems: \(Wording.count(status.problems.count, "change")) not on the server"]
            + status.problems.map { problem in
                let keys = problem.keys.isEmpty ? "" : ", \(problem.keys.joined(separator: ", "))"
                return "  \(problem.kind.rawValue)  \(names.fullName(of: problem.object))\(keys): \(problem.reason)"
            }
    }
}
