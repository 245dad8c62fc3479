// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Watches one store for commits of any process, and has its coordinator post `NSPersistentStoreRemoteChange` for them.
///
/// A store that is told of commits reports them. Otherwise the system reports writes to the files of the store; where
/// it can't, the store is asked once per second. The store's commit state then tells whether the write was a commit:
/// one number, which SQLite has in microseconds. Everything runs on the serial queue of the monitor, which guards its
/// state. Commits that follow one another quickly are posted once.
final class RemoteChangeMonitor: @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange", qos: .utility)
    private weak var coordinator: NSPersistentStoreCoordinator?
    private weak var store: (any HistoryStore)?
    private var watcher: OperatingSystem.FolderWatcher?
    /// The object by which the store itself reports commits.
    private var observer: AnyObject?
    private var timer: (any DispatchSourceTimer)?
    private var known: StoreCommitState?
    /// The milliseconds between the checks that follow a write: SQLite makes a commit visible in shared memory, which
    /// the system doesn't report, shortly after it has written the log.
    private static let delays = [5, 20, 100, 500]
    /// The next of the delays.
    private var step = 0
    private var isScheduled = false

    init(_ store: any HistoryStore, of coordinator: NSPersistentStoreCoordinator) {
        self.store = store
        self.coordinator = coordinator
        known = try? coordinator.commitState(of: store)
        observer = store.observeCommits { [weak self] in self?.check() }
        guard observer == nil, let path = store.url?.resolvingSymlinksInPath().path, path != OperatingSystem.nullDevice
        else { return }
        let name = URL(fileURLWithPath: path).lastPathComponent
        let names: Set<String> = [name, name + "-wal", name + "-journal"]
        watcher = OperatingSystem.FolderWatcher(OperatingSystem.folder(of: path), queue: queue) { [weak self] written in
            if written?.isDisjoint(with: names) != true { self?.checkRepeatedly() }
        }
        if watcher == nil { startPolling() }
    }

    deinit { timer?.cancel() }

    private func startPolling() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
        timer.setEventHandler { [weak self] in self?.postIfChanged() }
        timer.activate()
        self.timer = timer
    }

    /// Looks for commits soon, because this coordinator has committed.
    func check() { queue.async { [weak self] in self?.postIfChanged() } }

    /// Looks for commits now and soon, because some process has written to the files.
    private func checkRepeatedly() {
        postIfChanged()
        step = 0
        if !isScheduled { scheduleCheck() }
    }

    private func scheduleCheck() {
        guard step < Self.delays.count else { return }
        isScheduled = true
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.delays[step])) { [weak self] in
            guard let self else { return }
            isScheduled = false
            step += 1
            postIfChanged()
            scheduleCheck()
        }
    }

    private func postIfChanged() {
        guard let coordinator, let store else { return }
        do {
            let state = try coordinator.commitState(of: store)
            guard state != known else { return }
            known = state
            coordinator.postRemoteChange(of: store, try coordinator.newestToken(of: [store]))
        } catch {
            // The store was removed meanwhile, or its file can't be read: requests of contexts report that.
            CoreDataLog.warning("No remote change is posted: \(error.localizedDescription)")
        }
    }
}

/// The monitors of a coordinator's stores. The mutex guards the list.
final class RemoteChangeMonitors: Sendable {
    private let monitors = Locked<[ObjectIdentifier: RemoteChangeMonitor]>([:])

    /// Begins to watch a store that was added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    func start(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        let option = store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? NSNumber
        guard option?.boolValue == true, let store = store as? any HistoryStore else { return }
        let monitor = RemoteChangeMonitor(store, of: coordinator)
        monitors.withLock { $0[ObjectIdentifier(store)] = monitor }
    }

    /// Begins to watch a store, with or without the option.
    func begin(_ store: any HistoryStore, of coordinator: NSPersistentStoreCoordinator) {
        guard monitors.withLock({ $0[ObjectIdentifier(store)] == nil }) else { return }
        let monitor = RemoteChangeMonitor(store, of: coordinator)
        // Another thread may have made one meanwhile.
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

    /// Has the monitor of a store look for commits, if the store has one.
    func check(_ store: NSPersistentStore) { monitors.withLock { $0[ObjectIdentifier(store)] }?.check() }
}

extension NSPersistentStoreCoordinator {
    /// Posts `NSPersistentStoreRemoteChange` for the stores with a history from now on, with or without the option.
    package final func beginPostingRemoteChanges() {
        for case let store as any HistoryStore in persistentStores where store.hasHistory {
            remoteChanges.begin(store, of: self)
        }
    }

    fileprivate final func commitState(of store: any HistoryStore) throws -> StoreCommitState {
        try access.share { try store.commitState() }
    }

    /// Posts that a store was written to, on the current thread.
    fileprivate final func postRemoteChange(of store: any HistoryStore, _ token: NSPersistentHistoryToken?) {
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
