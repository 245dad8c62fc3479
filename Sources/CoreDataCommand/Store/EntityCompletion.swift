// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

extension CompletionKind {
    /// The names of the entities of the store that the words before name.
    static var entities: CompletionKind { .custom { words, _, _ in EntityCompletion.names(words) } }
}

/// Completes the names of entities. A shell asks the command with the words of its line.
enum EntityCompletion {
    /// - Parameter words: the words of the line.
    /// - Returns: the names of the entities of the first word that is a store; empty if none is.
    static func names(_ words: [String]) -> [String] {
        let option = words.firstIndex(of: "--model").map { $0 + 1 }
        let model = option.flatMap { words.indices.contains($0) ? words[$0] : nil }
        for (index, word) in words.enumerated() where index != option && !word.hasPrefix("-") && word.contains(".") {
            // Completion asks no server, and a word that is no store has no entities.
            guard let location = StoreLocation(argument: word), !location.isOnServer,
                let store = try? ReadOnlyStore(location, modelPath: model)
            else { continue }
            return store.entities.compactMap(\.name).sorted()
        }
        return []
    }
}
