// SPDX-License-Identifier: Apache-2.0

import CoreDataPostgreSQL

/// Text about the arguments of the command, without the passwords in their URLs.
enum PublicText {
    /// - Parameter text: what the argument parser says. The text repeats arguments that the parser doesn't expect.
    static func of(_ text: String, arguments: [String] = CommandLine.arguments) -> String {
        // The type is known from here on, and with it the secret parts of a URL.
        _ = NSPostgreSQLStoreType
        return arguments.flatMap(urls).reduce(text) { $0.replacingOccurrences(of: $1.text, with: $1.publicText) }
    }

    /// The URL in an argument, which may follow the name of an option.
    private static func urls(in argument: String) -> [(text: String, publicText: String)] {
        PostgreSQLLocation.schemes.sorted().compactMap { scheme in
            guard let range = argument.range(of: scheme + "://", options: .caseInsensitive) else { return nil }
            let text = String(argument[range.lowerBound...])
            return (text, URL(string: text)?.storeText ?? "\(scheme)://\u{2026}")
        }
    }
}
