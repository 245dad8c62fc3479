// SPDX-License-Identifier: Apache-2.0

/// A piece of source text in a message.
struct SourceFragment {
    let text: String
    let fileName: String
    /// The position of the text in its file, in bytes of UTF-8.
    let offset: Int

    init(text: String, fileName: String = "", offset: Int = 0) {
        self.text = text
        self.fileName = fileName
        self.offset = offset
    }

    init?(_ json: JSON?) {
        guard let text = json?["source"]?.string else { return nil }
        let location = json?["location"]
        self.init(
            text: text, fileName: location?["fileName"]?.string ?? "", offset: location?["offset"]?.integer ?? 0)
    }
}

/// A call of an attached macro.
struct MacroRequest {
    enum Role: String { case accessor, memberAttribute, member, peer, `extension`, declaration }

    /// The type of the macro in its declaration, such as `PersistentModelMacro`.
    let type: String
    let role: Role
    /// The declaration to which the macro is attached.
    let declaration: SourceFragment
    /// The type that gets extensions, with the types around it.
    var extendedType: String?
    /// The conformances of the macro that the type doesn't have yet.
    var missingConformances: [String] = []
    /// The declarations around it, innermost first, without their members.
    var context: [SourceFragment] = []
}

extension MacroRequest {
    init?(_ json: JSON) {
        guard let type = json["macro"]?["typeName"]?.string,
            let role = json["macroRole"]?.string.flatMap(Role.init),
            let declaration = SourceFragment(json["declSyntax"])
        else { return nil }
        self.init(type: type, role: role, declaration: declaration)
        extendedType = json["extendedTypeSyntax"]?["source"]?.string
        missingConformances = json["conformanceListSyntax"]?["source"]?.string.map(Self.conformances) ?? []
        context = json["lexicalContext"]?.array?.compactMap(SourceFragment.init) ?? []
    }

    /// The names in `struct Placeholder: A, B.C {}`, without modules.
    private static func conformances(_ text: String) -> [String] {
        guard let colon = text.firstIndex(of: ":") else { return [] }
        return text[text.index(after: colon)...].prefix { $0 != "{" }.split(separator: ",").map { name in
            String((name.split(separator: ".").last ?? "").filter { !$0.isWhitespace })
        }
    }
}
