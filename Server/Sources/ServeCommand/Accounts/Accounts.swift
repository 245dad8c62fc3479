// SPDX-License-Identifier: Apache-2.0

import CoreDataSyncServer
import Foundation

/// The accounts of a server: users with a token of a file, and those that a JSON Web Token names.
struct Accounts: Sendable {
    var tokens: UserTokens?
    var webTokens: WebTokens?

    /// The account of a header `Authorization: Bearer TOKEN`; nil for another one.
    func account(authorization: String?) async -> SyncAccount? {
        guard let words = authorization?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer"
        else { return nil }
        let token = String(words[1])
        if let user = tokens?.user(token) { return SyncAccount(user) }
        return await webTokens?.account(token)
    }
}
