// SPDX-License-Identifier: Apache-2.0

internal import CZlib
import CoreDataPredicates

/// Raw DEFLATE streams, without header or trailer: the format of a store's model cache.
package enum RawDeflate {
    /// Compresses data at level 5, as Apple's framework does.
    package static func compress(_ data: Data) throws -> Data {
        var stream = z_stream()
        var code = deflateInit2_(
            &stream, 5, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw failure(code, "compressed") }
        defer { deflateEnd(&stream) }
        guard data.count <= Int(UInt32.max) else { throw failure(Z_DATA_ERROR, "compressed") }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(data.count))))
        let count = output.count
        code = data.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { buffer in
                // zlib doesn't write to its input, although its header declares a mutable pointer.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END else { throw failure(code, "compressed") }
        return Data(output.prefix(Int(stream.total_out)))
    }

    /// Decompresses a stream that ends at the end of the data.
    ///
    /// - Parameters:
    ///   - data: the stream.
    ///   - limit: the maximum size of the result, against hostile streams.
    /// - Throws: `NSFileReadCorruptFileError` (259) if the stream is damaged or its result exceeds the limit.
    package static func expand(_ data: Data, limit: Int = 128 << 20) throws -> Data {
        var stream = z_stream()
        let start = inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard start == Z_OK else { throw failure(start, "expanded") }
        defer { inflateEnd(&stream) }
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        try data.withUnsafeBytes { input in
            stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            var code = Z_OK
            while code != Z_STREAM_END {
                let produced = buffer.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    code = inflate(&stream, Z_NO_FLUSH)
                    return output.count - Int(stream.avail_out)
                }
                guard code == Z_OK || code == Z_STREAM_END else { throw failure(code, "expanded") }
                output.append(contentsOf: buffer.prefix(produced))
                guard output.count <= limit else { throw failure(Z_BUF_ERROR, "expanded: it is too large") }
                // The input has ended before the stream: it is truncated.
                if code == Z_OK, produced == 0, stream.avail_in == 0 { throw failure(Z_BUF_ERROR, "expanded") }
            }
        }
        return output
    }

    private static func failure(_ code: Int32, _ verb: String) -> NSError {
        let message = "The data couldn\u{2019}t be \(verb) (zlib \(code))."
        return CoreDataErrors.error(SQLiteErrors.fileReadCorrupt, message: message, reason: message)
    }
}
