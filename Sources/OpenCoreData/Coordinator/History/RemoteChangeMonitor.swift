// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Watches one store for commits of any process. The store's coordinator then posts `NSPersistentStoreRemoteChange`.
///
/// A store that learns of commits reports them. Otherwise the system reports writes to the files of the store; where it
/// can't, the store is asked once per second. The store's commit state then tells whether the write was a commit: one
/// number, which SQLite reads in microseconds. A commit becomes visible some time after its writes, so the monitor asks
/// the store until it sees the commit, less and less often. Everything runs on the serial queue of the monitor, which
/// guards its state. Commits that follow one another quickly are posted once.
final class RemoteChangeMonitor: @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange", qos: .utility)
    private weak var coordinator: NSPersistentStoreCoordinator?
    private weak var store: NSPersistentStore?
    private var watcher: OperatingSystem.FolderWatcher?
    /// The object by which the store itself reports commits.
    private var observer: AnyObject?
    /// Fires when the store is asked again.
    private var timer: (any DispatchSourceTimer)?
    private var known: StoreCommitState?
    /// The milliseconds between the checks that follow a write; the last pause is repeated.
    ///
    /// SQLite makes a commit visible in shared memory, which the system doesn't report. The commit becomes visible when
    /// the disk has confirmed the log, however long that takes, and the writing process may be stopped before.
    private static let pauses = [5, 20, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000]
    /// The index of the pause that lasts now.
    private var pause = 0
    /// Whether a failure was logged since the last post.
    private var hasFailed = false

    init(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        self.store = store
        self.coordinator = coordinator
        queue.sync {
            watch(store)
            // The watch has begun: every commit after this state is reported, and examined after this block.
            known = try? coordinator.commitState(of: store)
        }
    }

    deinit { timer?.cancel() }

    /// Begins to watch a store for writes.
    private func watch(_ store: NSPersistentStore) {
        observer = store.historyDatabase?.observeCommits { [weak self] in self?.check() }
        guard observer == nil, let path = store.url?.resolvingSymlinksInPath().path, !OperatingSystem.isNullDevice(path)
        else { return }
        let name = URL(fileURLWithPath: path).lastPathComponent
        let names: Set<String> = [name, name + "-wal", name + "-journal"]
        watcher = OperatingSystem.FolderWatcher(OperatingSystem.folder(of: path), queue: queue) { [weak self] written in
            if written?.isDisjoint(with: names) != true { self?.checkRepeatedly() }
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        if watcher == nil {
            timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
            timer.setEventHandler { [weak self] in self?.postIfChanged() }
        } else {
            timer.schedule(deadline: .distantFuture)
            timer.setEventHandler { [weak self] in self?.checkAgain() }
        }
        timer.activate()
        self.timer = timer
    }

    /// The index of the present pause, in the list of pauses that follow a write.
    var currentPause: Int { queue.sync { pause } }

    /// Looks for commits soon, because this coordinator has committed.
    func check() { queue.async { [weak self] in self?.postIfChanged() } }

    /// Looks for commits now, and with growing pauses until there is one: some process has written to the files.
    private func checkRepeatedly() {
        // A commit that is visible now may belong to an earlier write.
        postIfChanged()
        pause = 0
        scheduleCheck()
    }

    /// Looks for commits after a pause.
    private func checkAgain() {
        // Writers follow one another: a commit that has become visible since the last write belongs to this write, or
        // to a later one, which is reported.
        if postIfChanged() { return }
        pause = min(pause + 1, Self.pauses.count - 1)
        scheduleCheck()
    }

    private func scheduleCheck() { timer?.schedule(deadline: .now() + .milliseconds(Self.pauses[pause])) }

    /// Posts that the store was written to, if it has another state than at the last post.
    ///
    /// - Returns: whether no further check is needed, because a change was posted, or because the store is gone.
    @discardableResult
    private func postIfChanged() -> Bool {
        guard let coordinator, let store else { return true }
        do {
            let state = try coordinator.commitState(of: store)
            guard state != known else { return false }
            let token = try coordinator.newestToken(of: [store])
            known = state
            hasFailed = false
            coordinator.postRemoteChange(of: store, token)
            return true
        } catch {
            // The store was removed, or its file can't be read. Requests of contexts report that.
            if !hasFailed { CoreDataLog.warning("No remote change is posted: \(error.localizedDescription)") }
            hasFailed = true
            return false
        }
    }
}

/// The monitors of a coordinator's stores. The mutex guards the list.
final class RemoteChangeMonitors: Sendable {
    private let monitors = Locked<[ObjectIdentifier: RemoteChangeMonitor]>([:])

    /// Begins to watch a store that was added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    func start(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        let option = store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? NSNumber
        guard option?.boolValue == true, store.historyDatabase != nil else { return }
        let monitor = RemoteChangeMonitor(store, of: coordinator)
        monitors.withLock { $0[ObjectIdentifier(store)] = monitor }
    }

    /// Begins to watch a store, with or without the option.
    func begin(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        guard monitors.withLock({ $0[ObjectIdentifier(store)] == nil }) else { return }
        let monitor = RemoteChangeMonitor(store, of: coordinator)
        // Another thread may have made a monitor in between.
        monitors.withLock { monitors in
            if monitors[ObjectIdentifier(store)] == nil { monitors[ObjectIdentifier(store)] = monitor }
        }
    }

    func stop(_ store: NSPersistentStore) {
        // The last reference is released outside of the lock.
        let monitor = monitors.withLock { $0.removeValue(forKey: ObjectIdentifier(store)) }
        withExtendedLifetime(monitor) {}
    }

    func stopAll() {
        let all = monitors.withLock { monitors in
            defer { monitors = [:] }
            return monitors
        }
        withExtendedLifetime(all) {}
    }

    /// The monitor of a store; nil if the store isn't watched.
    func monitor(of store: NSPersistentStore) -> RemoteChangeMonitor? {
        monitors.withLock { $0[ObjectIdentifier(store)] }
    }

    /// Asks the monitor of a store to look for commits, if the store has one.
    func check(_ store: NSPersistentStore) { monitor(of: store)?.check() }
}

extension NSPersistentStoreCoordinator {
    /// Posts `NSPersistentStoreRemoteChange` for the stores with a history from now on, with or without the option.
    package final func beginPostingRemoteChanges() {
        for store in persistentStores where hasHistory(store) {
            remoteChanges.begin(store, of: self)
        }
    }

    fileprivate final func commitState(of store: NSPersistentStore) throws -> StoreCommitState? {
        try access.share { try store.historyDatabase?.commitState() }
    }

    /// Posts that a store was written to, on the current thread.
    fileprivate final func postRemoteChange(of store: NSPersistentStore, _ token: NSPersistentHistoryToken?) {
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: store.identifier ?? ""]
        if let url = store.url { userInfo[NSPersistentStoreURLKey] = url }
        if let token { userInfo[NSPersistentHistoryTokenKey] = token }
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: self, userInfo: userInfo)
        #if compiler(>=6.2)
            if let message = RemoteChangeMessage(self, userInfo) {
                NotificationCenter.default.post(message, subject: self)
            }
        #endif
    }
}
