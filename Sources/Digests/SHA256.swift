// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4). Implemented here, because the model compiler has no dependencies. Tested with NIST's vectors.
///
/// The model compiler runs in debug builds, in which generic collections and loops over ranges are slow. So the loops
/// count by themselves, on plain memory.
package enum SHA256 {
    package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
        if let hash = message.withContiguousStorageIfAvailable({ hash(of: $0) }) { return hash }
        return Array(message).withUnsafeBufferPointer { hash(of: $0) }
    }

    private static let blockSize = 64

    private static func hash(of message: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var schedule = [UInt32](repeating: 0, count: 64)
        let end = padded(message)
        constants.withUnsafeBufferPointer { constants in
            state.withUnsafeMutableBufferPointer { state in
                schedule.withUnsafeMutableBufferPointer { schedule in
                    let (constants, state, schedule) = (
                        constants.baseAddress.unsafelyUnwrapped, state.baseAddress.unsafelyUnwrapped,
                        schedule.baseAddress.unsafelyUnwrapped
                    )
                    var start = 0
                    while message.count - start >= blockSize {
                        compress(message.baseAddress.unsafelyUnwrapped + start, state, schedule, constants)
                        start += blockSize
                    }
                    end.withUnsafeBufferPointer { end in
                        var start = 0
                        while start < end.count {
                            compress(end.baseAddress.unsafelyUnwrapped + start, state, schedule, constants)
                            start += blockSize
                        }
                    }
                }
            }
        }
        return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
            while count < 32 {
                let shift = UInt32(truncatingIfNeeded: 24 - 8 * (count & 3))
                bytes[count] = UInt8(truncatingIfNeeded: state[count >> 2] &>> shift)
                count += 1
            }
        }
    }

    /// The bytes behind the last complete block, the padding, and the length in bits: one or two blocks.
    private static func padded(_ message: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let rest = message.count & (blockSize - 1)
        var blocks = [UInt8](repeating: 0, count: rest < blockSize - 8 ? blockSize : 2 * blockSize)
        blocks.withUnsafeMutableBufferPointer { blocks in
            for index in 0..<rest { blocks[index] = message[message.count - rest + index] }
            blocks[rest] = 0x80
            let bitCount = UInt64(message.count) * 8
            for index in 0..<8 {
                blocks[blocks.count - 1 - index] = UInt8(truncatingIfNeeded: bitCount &>> UInt64(8 * index))
            }
        }
        return blocks
    }

    private static func compress(
        _ block: UnsafePointer<UInt8>, _ state: UnsafeMutablePointer<UInt32>, _ w: UnsafeMutablePointer<UInt32>,
        _ constants: UnsafePointer<UInt32>
    ) {
        var i = 0
        while i < 16 {
            let p = 4 &* i
            w[i] =
                UInt32(block[p]) &<< 24 | UInt32(block[p &+ 1]) &<< 16 | UInt32(block[p &+ 2]) &<< 8
                | UInt32(block[p &+ 3])
            i &+= 1
        }
        while i < 64 {
            let (x, y) = (w[i &- 15], w[i &- 2])
            let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ (x &>> 3)
            let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ (y &>> 10)
            w[i] = w[i &- 16] &+ s0 &+ w[i &- 7] &+ s1
            i &+= 1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        i = 0
        while i < 64 {
            let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let choice = (e & f) ^ (~e & g)
            let t1 = h &+ s1 &+ choice &+ constants[i] &+ w[i]
            let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let t2 = s0 &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
            i &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
