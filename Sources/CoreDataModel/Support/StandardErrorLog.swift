// SPDX-License-Identifier: Apache-2.0

/// Reports errors that Apple's API can't return: its initializers return only nil.
package enum StandardErrorLog {
    /// Writes the description of an error to standard error. A program without standard error goes on.
    package static func write(_ error: any Error) {
        try? FileHandle.standardError.write(contentsOf: Data("CoreData: \(error.localizedDescription)\n".utf8))
    }
}
