// SPDX-License-Identifier: Apache-2.0

/// A text as a key. It equals texts of the same bytes alone, as stores and predicates compare them. Equal strings may
/// have a character in its composed and in its decomposed form.
package struct ExactText: Hashable {
    let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        Strings.order(one.text, other.text) == .orderedSame
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
