// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Calls a block for each notification of a name, for as long as the observer lives.
package final class SyncObserver: @unchecked Sendable {
    // Sendable: nothing changes the token.
    private let token: any NSObjectProtocol

    /// - Parameter object: the sender; nil for each.
    package init(
        _ name: Notification.Name, of object: AnyObject? = nil, _ body: @escaping @Sendable (Notification) -> Void
    ) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: body)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
