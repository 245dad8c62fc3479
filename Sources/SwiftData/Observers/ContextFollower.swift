// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Makes a context merge the saves of the container's other contexts, and of other processes, as soon as they are done.
///
/// The merge runs where the context is used: on the actor that has made the follower. Without an actor nothing runs by
/// itself: the context merges when it fetches, saves or processes its changes.
final class ContextFollower: @unchecked Sendable {
    // Sendable: the context is used on the actor alone, the rest is constant or has a lock.
    private weak var context: ModelContext?
    private weak var actor: (any Actor)?
    private let coordinator: NSPersistentStoreCoordinator
    private let isScheduled = Locked(false)
    private var observers: [any NSObjectProtocol] = []
    /// The position in the history up to which the context has merged. Used on the actor.
    private var token: DefaultHistoryToken?
    /// Called on the actor after a merge.
    private let didMerge: () -> Void
    /// Called on the actor when changes are unknown: their history was deleted.
    private let didLoseTrack: () -> Void

    init(
        _ context: ModelContext, on actor: (any Actor)?, didMerge: @escaping () -> Void = {},
        didLoseTrack: @escaping () -> Void = {}
    ) {
        self.context = context
        self.actor = actor
        self.didMerge = didMerge
        self.didLoseTrack = didLoseTrack
        coordinator = context.core.coordinator
        coordinator.beginPostingRemoteChanges()
        token = ContainerHistory.newestToken(of: coordinator)
        observe(.NSPersistentStoreRemoteChange, coordinator)
        observe(.NSManagedObjectContextDidSave, nil)
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    private func observe(_ name: Notification.Name, _ object: AnyObject?) {
        let managed = Unchecked(WeakContext(context?.managed))
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] in
                guard let self else { return }
                if let other = $0.object as? NSManagedObjectContext {
                    guard other !== managed.value.context, other.persistentStoreCoordinator === self.coordinator
                    else { return }
                }
                self.schedule()
            })
    }

    private struct WeakContext {
        weak var context: NSManagedObjectContext?

        init(_ context: NSManagedObjectContext?) { self.context = context }
    }

    private func schedule() {
        guard let actor else { return }
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        Task { [weak self] in await self?.merge(on: actor) }
    }

    private func merge(on actor: isolated any Actor) {
        isScheduled.withLock { $0 = false }
        guard let context else { return }
        context.managed.mergeCollectedSaves()
        mergeHistory(context)
        context.managed.processPendingChanges()
        didMerge()
    }

    /// Merges the transactions of other processes. Merging a transaction of this process again changes nothing.
    private func mergeHistory(_ context: ModelContext) {
        guard let known = token else { return }
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: known.tokenValue.map { NSPersistentHistoryToken($0) })
            let result = try context.managed.execute(request) as? NSPersistentHistoryResult
            var numbers = known.tokenValue ?? [:]
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                context.managed.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                numbers[transaction.storeID] = transaction.transactionNumber
            }
            token = DefaultHistoryToken(numbers)
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            token = ContainerHistory.newestToken(of: coordinator)
            context.managed.refreshAllObjects()
            didLoseTrack()
        } catch {
            CoreDataLog.error("The history can't be merged: \(error.localizedDescription)")
        }
    }
}
