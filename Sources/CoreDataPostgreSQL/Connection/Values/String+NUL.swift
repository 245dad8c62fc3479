// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether the text has the character NUL, which the server doesn't store. The search takes several bytes at once:
    /// a text may have a gigabyte.
    var containsNUL: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}
