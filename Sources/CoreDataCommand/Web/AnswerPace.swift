// SPDX-License-Identifier: Apache-2.0

/// How long an answer may take. No answer waits for slower ones.
enum AnswerPace {
    case page
    /// A predicate, or an order without an index, may read all objects.
    case search
    /// Reads all objects.
    case count
}
