// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The lines of a stream, each no longer than a limit.
struct MCPLines {
    /// The most bytes of a line. Longer ones are passed over, and never in memory as a whole.
    static let mostBytes = 4_000_000

    private let input: FileHandle
    private var buffer = Data()
    private var isAtEnd = false

    init(_ input: FileHandle) { self.input = input }

    /// The next line without its end; nil at the end of the stream, and an empty optional for a line that is too long.
    mutating func next() -> [UInt8]?? {
        var isTooLong = false
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = [UInt8](buffer[buffer.startIndex..<end])
                buffer = buffer[(end + 1)...]
                return .some(isTooLong || line.count > Self.mostBytes ? nil : line)
            }
            if isAtEnd {
                guard !buffer.isEmpty || isTooLong else { return nil }
                let line = [UInt8](buffer)
                buffer = Data()
                return .some(isTooLong || line.count > Self.mostBytes ? nil : line)
            }
            if buffer.count > Self.mostBytes {
                isTooLong = true
                buffer = Data()
            }
            let part = StandardStreams.available(input)
            isAtEnd = part.isEmpty
            buffer = Data(buffer) + part
        }
    }
}
