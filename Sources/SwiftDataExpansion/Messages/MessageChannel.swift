// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#elseif os(Windows)
    import ucrt
#endif

/// The channel to the compiler: messages, each after its length as eight bytes in little-endian order.
struct MessageChannel {
    /// The longest message. A header with a larger length is no header.
    private static let lengthLimit: UInt64 = 1 << 31

    let input: Int32
    let output: Int32

    /// Standard input and output.
    static var standard: MessageChannel {
        #if os(Windows)
            _ = _setmode(0, _O_BINARY)
            _ = _setmode(1, _O_BINARY)
        #endif
        return MessageChannel(input: 0, output: 1)
    }

    /// Waits for the next message; nil at the end of the input.
    func receive() -> [UInt8]? {
        guard let header = bytes(8) else { return nil }
        let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return length <= Self.lengthLimit ? bytes(Int(length)) : nil
    }

    /// False if the compiler has closed the channel.
    func send(_ message: [UInt8]) -> Bool {
        let header = (0..<8).map { UInt8(truncatingIfNeeded: message.count >> ($0 * 8)) }
        return (header + message).withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let count = Int(write(output, bytes.baseAddress! + start, .init(bytes.count - start)))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                start += count
            }
            return true
        }
    }

    /// Reads exactly so many bytes. The buffer grows with the bytes that arrive, whatever length a header says.
    private func bytes(_ count: Int) -> [UInt8]? {
        var result: [UInt8] = []
        while result.count < count {
            let part = min(count - result.count, 1 << 20)
            var length = 0
            let buffer = [UInt8](unsafeUninitializedCapacity: part) { buffer, initialized in
                repeat {
                    length = Int(read(input, buffer.baseAddress!, .init(part)))
                } while length < 0 && errno == EINTR
                initialized = max(0, length)
            }
            guard length > 0 else { return nil }
            result += buffer
        }
        return result
    }
}
