// SPDX-License-Identifier: Apache-2.0

/// Answers the messages of the compiler. An unknown message gets an answer that the compiler understands.
enum MessageHandler {
    /// The version of the protocol in which a declaration's context is a part of the message.
    private static let protocolVersion = 7.0

    static func answer(to message: [UInt8]) -> [UInt8] {
        (JSONParser.value(of: message).map(answer) ?? failure("The message is no JSON.")).bytes
    }

    private static func answer(to message: JSON) -> JSON {
        if message["getCapability"] != nil {
            return .object([
                (
                    "getCapabilityResult",
                    .object([("capability", .object([("protocolVersion", .number(protocolVersion))]))])
                )
            ])
        }
        if let call = message["expandAttachedMacro"] {
            guard let request = MacroRequest(call) else { return failure("The call of the macro can't be read.") }
            return .result(Macros.expand(request), of: request.declaration)
        }
        // `#Unique` and `#Index` stand in a class for the attribute `@Model`, which reads them.
        if message["expandFreestandingMacro"] != nil { return .result(MacroExpansion(source: ""), of: nil) }
        if message["loadPluginLibrary"] != nil {
            return .object([
                ("loadPluginLibraryResult", .object([("loaded", .bool(false)), ("diagnostics", .array([]))]))
            ])
        }
        return failure("The message is unknown.")
    }

    private static func failure(_ reason: String) -> JSON {
        .result(MacroExpansion(diagnostics: [MacroDiagnostic(message: "SwiftDataMacros: \(reason)")]), of: nil)
    }
}
