// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataSyncServer
import Foundation
import Hummingbird
import Logging

/// `coredata-serve`: a server of an app's model.
public struct Serve: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "coredata-serve", abstract: "Serves a model: devices sync their stores with this one.",
        discussion: """
            The store is a SQLite file, or a schema on a PostgreSQL server. Each user has a token; a line of the file \
            of tokens is `user token`. Put a proxy with TLS before the server where others reach it.
            """)

    @Argument(help: "The model: .xcdatamodeld, .momd, or a model as text.", completion: .file())
    var model: String

    @Option(help: "The store: a file, or a URL of postgresql. By default the model's name with .sqlite.")
    var store: String?

    @Option(help: "The file of tokens: a line `user token` for each.", completion: .file())
    var tokens: String

    @Option(
        help: ArgumentHelp(
            "A part of the store that a user may have.",
            discussion: """
                A fetch request template of the model, whose variable $USER is the user, and the paths of \
                relationships to follow: mine:list.items,list.members. Without a scope each user has the whole store.
                """, valueName: "template[:path,…]"))
    var scope: [String] = []

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen at; 0 for a free one.")
    var port = 8080

    @Flag(help: "Make the store if there is none.")
    var create = false

    @Flag(help: "Say that the store was restored from a backup: devices offer again what it has lost.")
    var restored = false

    public init() {}

    public func run() async throws {
        let server = try Server(settings())
        if restored { try await server.beginEpoch() }
        do {
            try await server.application().runService()
        } catch {
            server.close()
            throw error
        }
        server.close()
    }

    /// The settings that the arguments name.
    ///
    /// - Throws: ``ServeError`` for a file that can't be read.
    func settings() throws -> Server.Settings {
        var settings = Server.Settings(
            model: URL(fileURLWithPath: model), store: try storeURL(),
            users: try UserTokens(contentsOf: URL(fileURLWithPath: tokens)))
        settings.scopes = try scope.map(Self.scope)
        (settings.host, settings.port) = (host, port)
        settings.makesStore = create
        return settings
    }

    /// A scope of the form `template:path,path`.
    private static func scope(_ text: String) throws -> SyncScope {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, !name.isEmpty else {
            throw ServeError("“\(text)” is no scope: write template:path,path.")
        }
        return SyncScope(name, follows: parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : [])
    }

    private func storeURL() throws -> URL {
        guard let store else {
            let name = URL(fileURLWithPath: model).deletingPathExtension().lastPathComponent
            return URL(fileURLWithPath: "\(name).sqlite")
        }
        guard store.hasPrefix("postgresql:") || store.hasPrefix("postgres:") else { return URL(fileURLWithPath: store) }
        guard let url = URL(string: store) else { throw ServeError("“\(store)” is no URL.") }
        return url
    }
}

/// A mistake in the arguments or in the files that they name.
struct ServeError: Error, LocalizedError {
    let text: String

    init(_ text: String) { self.text = text }

    var errorDescription: String? { text }
}
