// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataSyncServer
import CoreMetrics
import Foundation
import Hummingbird
import Logging
import NIOCore

/// `coredata-serve`: a server of an app's model.
public struct Serve: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "coredata-serve", abstract: "Serves a model: devices sync their stores with this one.",
        discussion: """
            The store is a SQLite file, or a schema on a PostgreSQL server. Each user has a token; a line of the file \
            of tokens is `user token`. An identity provider may give JSON Web Tokens in place of the file, or beside \
            it. Put a proxy with TLS before the server where others reach it.
            """)

    @Argument(help: "The model: .xcdatamodeld, .momd, or a model as text.", completion: .file())
    var model: String

    @Option(help: "The store: a file, or a URL of postgresql. By default the model's name with .sqlite.")
    var store: String?

    @Option(help: "The file of tokens: a line `user token` for each.", completion: .file())
    var tokens: String?

    @Option(
        help:
            "A public key (PEM, JWKS) or a secret of 32 bytes, read at the start, for JSON Web Tokens.",
        completion: .file())
    var jwtKey: String?

    @Option(help: "The issuer that JSON Web Tokens must name.")
    var jwtIssuer: String?

    @Option(help: "The audience that JSON Web Tokens must name.")
    var jwtAudience: String?

    @Option(
        help: ArgumentHelp(
            "A part of the store that a user may have.",
            discussion: """
                A fetch request template of the model, whose variable $USER is the user, and the paths of \
                relationships to follow: mine:list.items,list.members. Without a scope each user has the whole store.
                """, valueName: "template[:path,…]"))
    var scope: [String] = []

    @Option(
        help: ArgumentHelp(
            "A fetch request template whose objects users may read as JSON, at /fetch/TEMPLATE.",
            discussion: """
                A query of the URL gives its variables; $USER is the user. With scopes a user reads the objects of its \
                scopes.
                """, valueName: "template"))
    var fetch: [String] = []

    @Option(help: "The user who may read the metrics, at /metrics, and note backups, at /backup.")
    var admin: String?

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
        ProcessLimits.raiseOpenFiles()
        ProcessLimits.shareArenas()
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        let server = try Server(try await settings(), metrics: metrics)
        defer { server.close() }
        if restored { try await server.beginEpoch() }
        do {
            try await server.application().runService()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ServeError("Another program listens at port \(port): end it, or choose another one by --port.")
        }
    }

    /// Checks what can be checked without reading files.
    public func validate() throws {
        if tokens == nil, jwtKey == nil {
            throw ValidationError("Give the users' tokens by --tokens, or a key for JSON Web Tokens by --jwt-key.")
        }
        if jwtKey != nil, jwtAudience == nil {
            // Otherwise a token that the provider gives another app would do.
            throw ValidationError("--jwt-key needs --jwt-audience: the claim aud of tokens for this server.")
        }
        if jwtKey == nil, jwtIssuer != nil || jwtAudience != nil {
            throw ValidationError("--jwt-issuer and --jwt-audience need --jwt-key.")
        }
    }

    /// The settings that the arguments name.
    ///
    /// - Throws: ``ServeError`` for a file that can't be read.
    func settings() async throws -> Server.Settings {
        var accounts = Accounts()
        accounts.tokens = try tokens.map { try UserTokens(contentsOf: URL(fileURLWithPath: $0)) }
        if let jwtKey {
            accounts.webTokens = try await WebTokens(
                contentsOf: URL(fileURLWithPath: jwtKey),
                WebTokens.Demands(issuer: jwtIssuer, audience: jwtAudience))
        }
        if let admin, let tokens = accounts.tokens, accounts.webTokens == nil, !tokens.contains(admin) {
            throw ServeError("--admin: the file of tokens has no user “\(admin)”.")
        }
        var settings = Server.Settings(
            model: URL(fileURLWithPath: model), store: try storeURL(), accounts: accounts)
        (settings.templates, settings.administrator) = (Set(fetch), admin)
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
