// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Text as a part of a command line.
enum ShellText {
    /// A word as a POSIX shell reads it back.
    static func quoted(_ word: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:,=@%+")
        if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
