// SPDX-License-Identifier: Apache-2.0

/// Whether code runs on the main queue. `Thread.isMainThread` doesn't answer this after an async `main` was suspended.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static func mark() { _ = key }
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
