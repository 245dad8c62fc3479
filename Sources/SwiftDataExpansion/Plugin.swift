// SPDX-License-Identifier: Apache-2.0

/// The plugin of the compiler with the macros of SwiftData.
///
/// It speaks the compiler's protocol itself and reads declarations by `SwiftDeclarations`, so it needs no swift-syntax,
/// which takes minutes to build.
package enum Plugin {
    /// Answers the messages on standard input, until its end.
    package static func run() {
        let channel = MessageChannel.standard
        while let message = channel.receive(), channel.send(MessageHandler.answer(to: message)) {}
    }
}
