// SPDX-License-Identifier: Apache-2.0

/// A notification whose `userInfo` is made for its first observer, and not at all without one.
///
/// `NotificationCenter` has no function that tells whether a notification has observers. Its `post(_:)` hands the
/// notification to an exported generic function, and the code around each observer casts it to `Notification`. For an
/// instance of this class, the cast is Foundation's bridging, which reads `userInfo`. A test and a self-check at the
/// first use compare this with `post(name:object:userInfo:)`.
package final class DeferredNotification: NSNotification {
    private let make: () -> [AnyHashable: Any]?
    private var made: [AnyHashable: Any]??
    /// Whether this post holds the lock around the look-up of observers.
    private var isLookingUp = false

    private init(_ name: Notification.Name, _ object: AnyObject, _ make: @escaping () -> [AnyHashable: Any]?) {
        self.make = make
        super.init(name: name, object: object, userInfo: nil)
    }

    package required init?(coder: NSCoder) { nil }

    package override var userInfo: [AnyHashable: Any]? {
        // The first observer is about to be called: it may wait for other threads that post.
        endLookup()
        if let made { return made }
        let new = make()
        made = new
        return new
    }

    private func endLookup() {
        guard isLookingUp else { return }
        isLookingUp = false
        ObserverLookup.lock.unlock()
    }

    /// Posts a notification on a center.
    ///
    /// - Parameter userInfo: makes the dictionary, on this thread and before this function returns, if there is an
    ///   observer.
    package static func post(
        _ name: Notification.Name, object: AnyObject, on center: NotificationCenter = .default,
        userInfo: @escaping () -> [AnyHashable: Any]?
    ) {
        #if os(Linux) && compiler(>=6.3) && !compiler(>=6.4)
            if isUsable {
                return DeferredNotification(name, object, userInfo).post(on: center, object)
            }
        #endif
        center.post(name: name, object: object, userInfo: userInfo())
    }

    #if os(Linux) && compiler(>=6.3) && !compiler(>=6.4)
        private func post(on center: NotificationCenter, _ object: AnyObject) {
            ObserverLookup.lock.lock()
            isLookingUp = true
            center.opencoredata_post(name.rawValue, subject: object, message: self)
            endLookup()
        }

        /// Whether Foundation reads `userInfo` for the first observer, before it calls it, and not without one.
        private static let isUsable: Bool = {
            guard FastPath.deferredNotifications.isOn else { return false }
            let center = NotificationCenter()
            let name = Notification.Name("OpenCoreDataDeferredNotification")
            let subject = NSObject()
            var isMade = false
            let message = DeferredNotification(name, subject) {
                isMade = true
                return [name: subject]
            }
            message.post(on: center, subject)
            if isMade { return false }
            nonisolated(unsafe) let posted = message
            nonisolated(unsafe) var received: Notification?
            nonisolated(unsafe) var isLookupOver = false
            let token = center.addObserver(forName: name, object: subject, queue: nil) {
                received = $0
                isLookupOver = !posted.isLookingUp
            }
            message.post(on: center, subject)
            center.removeObserver(token)
            guard let received, isLookupOver else { return false }
            return received.name == name && received.object as AnyObject? === subject
                && received.userInfo?[name] as AnyObject? === subject
        }()
    #endif
}

#if os(Linux) && compiler(>=6.3) && !compiler(>=6.4)
    extension NotificationCenter {
        /// The function that `post(_:)` of Foundation on Linux calls, for a message of any type. The condition names
        /// the toolchains that have been tested. With any other toolchain the dictionary of a notification is always
        /// made.
        @_silgen_name("$s20FoundationEssentials18NotificationCenterC5_post_7subject7messageySSSg_ypSgxtlF")
        fileprivate func opencoredata_post<Message>(_ name: String?, subject: Any?, message: Message)
    }
#endif
