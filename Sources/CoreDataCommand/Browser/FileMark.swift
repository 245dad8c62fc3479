// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The attributes of a file that change when it is written or replaced. A store on a server has the same mark
/// always: it tells its clients of a migration itself.
struct FileMark: Equatable {
    let number: UInt64?
    private let times: [Date?]
    private let sizes: [UInt64]

    init(_ location: StoreLocation) {
        guard !location.isOnServer else {
            number = nil
            times = []
            sizes = []
            return
        }
        let attributes = ["", "-wal"].map { suffix in
            try? FileManager.default.attributesOfItem(atPath: location.url.path + suffix)
        }
        number = (attributes[0]?[.systemFileNumber] as? NSNumber)?.uint64Value
        times = attributes.map { $0?[.modificationDate] as? Date }
        sizes = attributes.map { ($0?[.size] as? NSNumber)?.uint64Value ?? 0 }
    }

    /// The mark as a short text.
    var text: String {
        let times = times.map { String($0?.timeIntervalSinceReferenceDate.bitPattern ?? 0, radix: 36) }
        return ([String(number ?? 0, radix: 36)] + times + sizes.map { String($0, radix: 36) }).joined(separator: "-")
    }
}
