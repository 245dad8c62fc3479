// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The bytes of a file, in parts, with the number of the line.
final class ByteSource {
    private let file: FileHandle?
    private var buffer: [UInt8]
    private var position = 0
    /// The number of bytes before the buffer.
    private var passed = 0
    /// The line of the next byte, from 1. A line ends with LF, CR LF or CR.
    private(set) var line: Int
    private var lastWasReturn = false

    private static let partSize = 262_144

    init(file: FileHandle) throws {
        self.file = file
        buffer = []
        line = 1
        try fill()
        if buffer.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    }

    /// - Parameter line: the line of the first byte.
    init(bytes: [UInt8], line: Int) {
        file = nil
        buffer = bytes
        self.line = line
    }

    /// The number of bytes that were read.
    var offset: Int { passed + position }

    /// Whether the bytes are UTF-16 or UTF-32, by their beginning.
    var isWide: Bool {
        let start = buffer.prefix(4)
        return start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff])
            || (start.count == 4 && start.filter { $0 == 0 }.count >= 2)
    }

    /// The next byte, which stays the next one; nil at the end.
    func peek() throws -> UInt8? {
        if position == buffer.count { try fill() }
        return position < buffer.count ? buffer[position] : nil
    }

    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == 10 {
            if !lastWasReturn { line += 1 }
        } else if byte == 13 {
            line += 1
        }
        lastWasReturn = byte == 13
        return byte
    }

    private func fill() throws {
        guard let file else { return }
        passed += buffer.count
        buffer = [UInt8](try file.read(upToCount: Self.partSize) ?? Data())
        position = 0
    }
}

/// A mistake in a file after which nothing more can be read from it.
struct ImportFault: Error {
    let line: Int
    let text: String

    /// The fault of bytes that are no text in UTF-8.
    ///
    /// - Parameter line: the line in which the bytes begin.
    init(notUTF8 bytes: some Collection<UInt8>, line: Int) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var valid = 0
        scan: while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): valid += scalar.count
            case .error, .emptyInput: break scan
            }
        }
        let before = bytes.prefix(valid)
        let lines = before.count { $0 == 10 } + before.filter { $0 == 13 }.count
        let pairs = zip(before, before.dropFirst()).count { $0 == 13 && $1 == 10 }
        let byte = bytes.dropFirst(valid).first.map { String($0, radix: 16) } ?? ""
        self.init(
            line: line + lines - pairs,
            text: """
                the byte 0x\(byte) is no text in UTF-8. Convert the file, for example by \
                iconv -f WINDOWS-1252 -t UTF-8.
                """)
    }

    init(line: Int, text: String) {
        self.line = line
        self.text = text
    }
}
