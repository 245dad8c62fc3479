// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `coredata sync`
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Shows and prepares stores that CoreDataSync keeps in sync with a server.",
        subcommands: [SyncStatusCommand.self, SyncAdoptCloudKitCommand.self])
}
