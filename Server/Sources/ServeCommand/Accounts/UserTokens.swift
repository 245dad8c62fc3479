// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The users of a server, by their tokens.
struct UserTokens: Sendable {
    /// The users by the SHA-256 of their tokens: how long a look-up takes says nothing of a token.
    private let users: [Data: String]

    init(contentsOf file: URL) throws {
        let text: String
        do {
            text = try String(contentsOf: file, encoding: .utf8)
        } catch {
            throw ServeError("The file of tokens \(file.path) can't be read: \(error.localizedDescription)")
        }
        try self.init(text, name: file.lastPathComponent)
    }

    /// - Parameters:
    ///   - text: a line `user token` for each user; empty lines and those that begin with `#` don't count. A user may
    ///     have several tokens.
    ///   - name: names the text in errors.
    init(_ text: String, name: String) throws {
        var users: [Data: String] = [:]
        for (number, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 2, words[1].utf8.count >= 16 else {
                throw ServeError(
                    "\(name), line \(number + 1): write a user and a token of 16 characters or more, with a space "
                        + "between them.")
            }
            guard users.updateValue(String(words[0]), forKey: Self.digest(words[1])) == nil else {
                throw ServeError("\(name), line \(number + 1): another user has the same token.")
            }
        }
        guard !users.isEmpty else { throw ServeError("\(name) has no token: write a line `user token`.") }
        self.users = users
    }

    private static func digest(_ token: some StringProtocol) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

    /// The user of a token; nil for an unknown one.
    func user(_ token: String) -> String? { users[Self.digest(token)] }

    /// Whether a user has a token.
    func contains(_ user: String) -> Bool { users.values.contains(user) }
}
