// SPDX-License-Identifier: Apache-2.0

/// The bytes of an archive as a part of the archive of another object, under a key.
package struct EmbeddedArchive: Sendable {
    package let key: String
    /// The archived objects, for messages.
    private let contents: String

    package init(key: String, contents: String) {
        self.key = key
        self.contents = contents
    }

    /// Encodes an archive. A coder without keys stops the program.
    package func encode(_ archive: @autoclosure () throws -> Data, with coder: NSCoder) rethrows {
        requireKeys(coder)
        let bytes = [UInt8](try archive())
        coder.encodeBytes(bytes, length: bytes.count, forKey: key)
    }

    /// Decodes an object from an archive, which is nil if the coder has none. After an error the result is nil, and the
    /// coder has the error.
    package func decode<Value>(from coder: NSCoder, _ unarchive: (Data?) throws -> Value?) -> Value? {
        requireKeys(coder)
        do {
            // withDecodedUnsafeBufferPointer accepts every archive: a value of another type gives nil.
            return try unarchive(
                coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in bytes.map { Data($0) } })
        } catch {
            // If the coder has an error already, that error is the cause of this one.
            if coder.error == nil { coder.failWithError(error) }
            return nil
        }
    }

    private func requireKeys(_ coder: NSCoder) {
        guard coder.allowsKeyedCoding else {
            programmingError(
                """
                \(contents) need a keyed archiver, which \(type(of: coder)) is not. Use NSKeyedArchiver and \
                NSKeyedUnarchiver.
                """)
        }
    }
}
