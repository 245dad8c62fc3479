// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The command line that prints the rows of a page.
struct FetchCommandLine {
    let store: BrowserStore
    let entity: String
    var predicate: String?
    var sort: String?
    var columns: String?
    var id: String?
    var relatedTo: String?
    var limit: Int?

    var text: String {
        var words = ["coredata", "store", "fetch", store.location.text]
        if let model = store.modelPath { words += ["--model", model] }
        words += ["--entity", entity]
        if let id { words += ["--id", id] }
        if let relatedTo { words += ["--related-to", relatedTo] }
        if let predicate { words += ["--predicate", predicate] }
        if let columns { words += ["--fetch", columns] }
        if let sort { words += ["--sort", sort] }
        if let limit { words += ["--limit", String(limit)] }
        return words.map(ShellText.quoted).joined(separator: " ")
    }
}
