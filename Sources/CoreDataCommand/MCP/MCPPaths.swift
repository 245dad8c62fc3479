// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The stores and models that calls may name.
struct MCPPaths: Sendable {
    /// Paths without symbolic links.
    private let files: [String]
    /// The URLs of stores on servers.
    private let urls: Set<String>

    /// - Throws: an error for a path that doesn't exist.
    init(_ texts: [String]) throws {
        urls = Set(texts.filter(Self.isURL))
        files = try texts.filter { !Self.isURL($0) }.map { text in
            let path = Self.resolved(text)
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandError("There is no file or folder \(text). Name stores, models or folders that exist.")
            }
            return path
        }
    }

    private static func isURL(_ text: String) -> Bool { text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") }

    private static func resolved(_ text: String) -> String {
        URL(fileURLWithPath: text).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// The argument for a path or a URL of a call.
    ///
    /// - Throws: an error for one that calls may not name.
    func argument(_ text: String) throws -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw CommandError("A path is empty.") }
        if Self.isURL(text) {
            guard urls.contains(text) else { throw refusal(of: text) }
            return text
        }
        let path = Self.resolved(text)
        guard files.contains(where: { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else {
            throw refusal(of: text)
        }
        return path
    }

    private func refusal(of text: String) -> CommandError {
        CommandError(
            "\(ObjectLabel.cut(text, to: 200)) can't be read. These can, with what is below them: "
                + "\((files + urls.map { ObjectLabel.cut($0, to: 20) }).joined(separator: ", ")).")
    }
}
