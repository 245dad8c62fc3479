// SPDX-License-Identifier: Apache-2.0

import CoreData
import Foundation

extension Error {
    /// The error for a log: its domain, code and messages. The rest of an error of a store has objects with the values
    /// of users.
    var logText: String {
        // Each error can be cast to NSError: what was made as one has its type.
        guard type(of: self) is NSError.Type || self is CocoaError else { return "\(self)" }
        let error = self as NSError
        let messages = [error.localizedDescription, error.localizedFailureReason].compactMap(\.self)
        let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
        return (["\(error.domain) \(error.code):"] + messages + details.map(\.logText)).joined(separator: " ")
    }
}
