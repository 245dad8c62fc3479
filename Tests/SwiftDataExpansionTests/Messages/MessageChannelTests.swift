import Foundation
import Testing

@testable import SwiftDataExpansion

@Suite("The channel to the compiler")
struct MessageChannelTests {
    private func channel(_ input: Pipe, _ output: Pipe) -> MessageChannel {
        MessageChannel(
            input: input.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor)
    }

    private func framed(_ message: [UInt8]) -> Data {
        withUnsafeBytes(of: UInt64(message.count).littleEndian) { Data($0) } + Data(message)
    }

    @Test("messages arrive in order, with their lengths in front")
    func messages() throws {
        let (input, output) = (Pipe(), Pipe())
        let channel = channel(input, output)
        try input.fileHandleForWriting.write(contentsOf: framed([1, 2, 3]) + framed([]) + framed([4]))
        try input.fileHandleForWriting.close()
        expectEqual(channel.receive(), [1, 2, 3])
        expectEqual(channel.receive(), [])
        expectEqual(channel.receive(), [4])
        expectEqual(channel.receive(), nil)
    }

    @Test("an answer is written with its length in front")
    func answer() throws {
        let (input, output) = (Pipe(), Pipe())
        expectTrue(channel(input, output).send([7, 8]))
        try output.fileHandleForWriting.close()
        try expectEqual(output.fileHandleForReading.readToEnd(), framed([7, 8]))
    }

    @Test("a message that ends early is the end", arguments: [0, 3, 8, 9])
    func truncated(length: Int) throws {
        let (input, output) = (Pipe(), Pipe())
        try input.fileHandleForWriting.write(contentsOf: framed([1, 2, 3]).prefix(length))
        try input.fileHandleForWriting.close()
        expectEqual(channel(input, output).receive(), nil)
    }

    @Test("an impossible length is the end")
    func impossibleLength() throws {
        let (input, output) = (Pipe(), Pipe())
        try input.fileHandleForWriting.write(contentsOf: Data(repeating: 0xFF, count: 32))
        expectEqual(channel(input, output).receive(), nil)
    }

    @Test("a compiler that has a conversation gets all answers")
    func conversation() async throws {
        let (input, output) = (Pipe(), Pipe())
        let messages = RecordedMessages.all
        let channel = channel(input, output)
        let plugin = Thread {
            while let message = channel.receive(), channel.send(MessageHandler.answer(to: message)) {}
        }
        plugin.start()
        for message in messages {
            try input.fileHandleForWriting.write(contentsOf: framed(Array(message.utf8)))
            let header = try requireValue(try output.fileHandleForReading.read(upToCount: 8))
            let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
            var answer = Data()
            while answer.count < length {
                answer += try requireValue(try output.fileHandleForReading.read(upToCount: length - answer.count))
            }
            expectEqual(Array(answer), MessageHandler.answer(to: Array(message.utf8)))
        }
        try input.fileHandleForWriting.close()
    }
}
