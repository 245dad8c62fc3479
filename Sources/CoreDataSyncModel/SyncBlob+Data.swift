// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire
import Digests

extension SyncBlob {
    /// The name of bytes.
    package init(of data: Data) {
        self.init(digest: Data(SHA256.hash(data)), size: Int64(data.count))
    }
}
