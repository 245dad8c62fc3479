// SPDX-License-Identifier: Apache-2.0

/// A Swift source file: its text, and its path for messages.
package struct SwiftSource: Sendable {
    /// The path for messages and `#sourceLocation`.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// The file's name without folder.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
}
