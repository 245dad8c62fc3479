// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataSync
import OpenCoreData

/// The store of a verb about sync, its model, and its side store.
struct SyncStoreArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("A SQLite store.", valueName: "store"))
    var store: StoreLocation

    @Option(
        help: ArgumentHelp(
            "The model, with the renaming identifiers of the app. The default is the model in the store.",
            valueName: "path"))
    var model: FilePath?

    @Option(
        help: ArgumentHelp(
            "The side store. The default is the file beside the store with '-sync' before its extension.",
            valueName: "file"))
    var sideStore: FilePath?

    /// The file of the side store.
    ///
    /// - Parameter remedy: the sentence for a path that is the store's.
    /// - Throws: an error if the path is the store's.
    func sideStoreURL(remedy: String) throws -> URL {
        let side = sideStore.map { URL(fileURLWithPath: $0.text) } ?? SyncSideStore.url(of: store.url)
        if store.url.namesSameStore(as: side) { throw CommandError("\(side.path) is the store itself. \(remedy)") }
        return side
    }
}
