// SPDX-License-Identifier: Apache-2.0

import Digests

/// Summaries of the hashes of several entities. Store metadata and compiled bundles contain them beside the hashes.
package enum VersionHashSummary {
    /// `NSStoreModelVersionHashesDigest`: Base64 of SHA-512 over the names and hashes, in the byte order of the names.
    package static func digest(of hashes: [String: Data]) -> String {
        var bytes: [UInt8] = []
        for (name, hash) in sorted(hashes) {
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: hash)
        }
        return Data(SHA512.hash(bytes)).base64EncodedString()
    }

    /// `NSStoreModelVersionChecksumKey`: Base64 of SHA-256 over the hashes, in the byte order of the names.
    package static func checksum(of hashes: [String: Data]) -> String {
        Data(SHA256.hash(sorted(hashes).flatMap { Array($0.value) })).base64EncodedString()
    }

    private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
        hashes.sortedBytewise { $0.key }
    }
}
