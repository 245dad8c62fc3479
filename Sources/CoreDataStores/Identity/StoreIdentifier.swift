// SPDX-License-Identifier: Apache-2.0

/// The UUID of a store, or the text that a program has set in its place.
package enum StoreIdentifier {
    /// Whether an identifier can be the host of object IDs' URIs. Programs may set identifiers that are no UUIDs.
    package static func isUsable(_ identifier: String) -> Bool {
        (1...255).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, 45, 46, 95: true
                default: false
                }
            }
    }
}
