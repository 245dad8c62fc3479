// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The differences between a store or a version and another version, in words.
enum ModelDifferences {
    private static let limit = 10

    /// - Parameters:
    ///   - hashes: the version hashes of the store.
    ///   - cached: the model in the store; nil if the store contains no model.
    static func text(
        from hashes: [String: Data], _ cached: NSManagedObjectModel?, to model: NSManagedObjectModel
    ) -> String {
        if let cached, cached.entityVersionHashesByName == hashes {
            let differences = changes(from: cached, to: model)
            if !differences.isEmpty { return "What differs: \(listed(differences))." }
        }
        let all = model.entityVersionHashesByName
        let names = Set(hashes.keys).union(all.keys).filter { hashes[$0] != all[$0] }.sorted()
        let texts = names.map { name in
            hashes[name] == nil ? "\(name) is missing" : all[name] == nil ? "\(name) is new" : "\(name) has changed"
        }
        return "What differs: \(listed(texts))."
    }

    /// The differences that change version hashes.
    static func changes(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> [String] {
        ModelComparison(from: source, to: destination, scope: .storedPart).differences.filter(\.changesVersionHash)
            .map(\.text)
    }

    private static func listed(_ texts: [String]) -> String {
        let rest = texts.count - limit
        return texts.prefix(limit).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
