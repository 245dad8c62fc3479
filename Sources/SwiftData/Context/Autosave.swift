// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Saves a context without a call of `save()`.
final class Autosave {
    var isEnabled = false
    private var observer: ChangeFollower?

    /// Follows the changes of a context from now on.
    func follow(_ context: ModelContext) {
        guard observer == nil else { return }
        observer = ChangeFollower(context)
    }
}

/// Schedules a save at the end of the main queue's turn, after a context has processed changes.
private final class ChangeFollower {
    private let token: any NSObjectProtocol

    init(_ context: ModelContext) {
        let schedule = AutosaveSchedule(context)
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context.managed, queue: nil
        ) { _ in schedule.scheduleSave() }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}

/// The save that a context waits for. Used on the main thread alone, hence Sendable.
private final class AutosaveSchedule: @unchecked Sendable {
    private weak var context: ModelContext?
    private var isScheduled = false

    init(_ context: ModelContext) { self.context = context }

    func scheduleSave() {
        guard MainQueue.isCurrent, !isScheduled, context?.autosaveEnabled == true else { return }
        isScheduled = true
        DispatchQueue.main.async { self.save() }
    }

    private func save() {
        isScheduled = false
        guard let context, context.autosaveEnabled, context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            CoreDataLog.error("A context can't save by itself: \(error.localizedDescription)")
        }
    }
}
