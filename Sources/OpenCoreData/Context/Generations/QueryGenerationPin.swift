// SPDX-License-Identifier: Apache-2.0

/// The rows that a context reads.
enum QueryGenerationPin {
    /// The newest rows.
    case none
    /// The newest rows at the time of the context's next read. This read changes the pin to `generation`.
    case current
    case generation(QueryGeneration)

    var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
