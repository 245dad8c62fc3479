// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataPostgreSQL
import OpenCoreData

/// A store on the command line: the path of a file, or a URL of PostgreSQL.
struct StoreLocation: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .file() }

    let url: URL
    /// The path as it was given, or the URL without a password.
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(argument)
    }

    /// - Parameter text: not empty.
    init(_ text: String) {
        // The type is known from here on.
        let type = NSPostgreSQLStoreType
        if let range = text.range(of: "://"), type == NSPostgreSQLStoreType,
            PostgreSQLLocation.schemes.contains(text[..<range.lowerBound].lowercased()), let url = URL(string: text)
        {
            self.url = url
            self.text = url.storeText
        } else {
            url = URL(fileURLWithPath: text)
            self.text = text
        }
    }

    /// Whether the store is on a server.
    var isOnServer: Bool { !url.isFileURL }

    /// The type of a store that is made there. The extension of a file selects it: .xml, .binary, and SQLite otherwise.
    var newStoreType: NSPersistentStore.StoreType {
        if isOnServer { return .postgreSQL }
        return (StoreCopyCommand.FileType(rawValue: url.pathExtension.lowercased()) ?? .sqlite).type
    }

    /// Removes the files that a migration which ended early has left beside the store, and says so.
    func removeLeftovers() {
        guard !isOnServer, let folder = MigrationLock.removeLeftovers(of: url) else { return }
        StandardStreams.error("\(folder.path), which an interrupted migration has left, is removed.")
    }

    static let help = "A SQLite, XML or binary store, or postgresql://USER@HOST/DATABASE?schema=NAME."
}
