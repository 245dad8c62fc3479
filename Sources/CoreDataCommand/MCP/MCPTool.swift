// SPDX-License-Identifier: Apache-2.0

/// A tool: a verb of this command with some of its options.
struct MCPTool: Sendable {
    struct Parameter: Sendable {
        enum Kind: Sendable {
            case text, flag
            /// A store, a model or a mapping model.
            case path
            case paths
            case number(ClosedRange<Int>)
            /// Objects of JSON, which the verb reads from standard input.
            case rows
        }

        let name: String
        let kind: Kind
        let description: String
        var isRequired = false
        /// The option of the verb; nil for an argument without a name.
        var option: String?
    }

    let name: String
    let title: String
    let description: String
    let verb: [String]
    /// Arguments of each call.
    var constant = ["--format", "json"]
    /// The exit codes with an answer, beside 0.
    var answers: Set<Int32> = []
    var changesStores = false
    let parameters: [Parameter]

    /// The description of the tool for `tools/list`.
    var document: JSONValue {
        .object([
            ("name", .string(name)), ("title", .string(title)), ("description", .string(description)),
            (
                "inputSchema",
                .object([
                    ("type", "object"),
                    ("properties", .object(parameters.map { ($0.name, $0.schema) })),
                    ("required", .array(parameters.filter(\.isRequired).map { .string($0.name) })),
                    ("additionalProperties", false),
                ])
            ),
            (
                "annotations",
                .object([
                    ("readOnlyHint", .boolean(!changesStores)), ("destructiveHint", false), ("openWorldHint", false),
                ])
            ),
        ])
    }

    /// The arguments of the verb, and what it reads from standard input.
    struct Call {
        var arguments: [String]
        var input: String?
    }

    /// - Throws: an error for a missing, an unknown and a wrong argument.
    func call(_ arguments: JSONValue, _ paths: MCPPaths) throws -> Call {
        guard case .object(let members) = arguments else { throw CommandError("The arguments are no object.") }
        for member in members where !parameters.contains(where: { $0.name == member.name }) {
            throw CommandError(
                "\(name) has no argument '\(ObjectLabel.cut(member.name, to: 100))'. Its arguments: "
                    + "\(parameters.map(\.name).joined(separator: ", ")).")
        }
        var call = Call(arguments: verb)
        for parameter in parameters {
            let value = arguments[parameter.name] ?? .null
            guard value != .null else {
                guard !parameter.isRequired else { throw CommandError("\(name) needs the argument \(parameter.name).") }
                continue
            }
            try parameter.add(value, to: &call, paths)
        }
        call.arguments += constant
        return call
    }
}

extension MCPTool.Parameter {
    /// The schema of the values.
    fileprivate var schema: JSONValue {
        var members: [(name: String, value: JSONValue)]
        switch kind {
        case .text, .path: members = [("type", "string")]
        case .flag: members = [("type", "boolean")]
        case .paths: members = [("type", "array"), ("items", .object([("type", "string")]))]
        case .number(let range):
            members = [
                ("type", "integer"), ("minimum", .number("\(range.lowerBound)")),
                ("maximum", .number("\(range.upperBound)")),
            ]
        case .rows: members = [("type", "array"), ("items", .object([("type", "object")]))]
        }
        members.append(("description", .string(description)))
        return .object(members)
    }

    /// Adds the value of a call to its arguments. A value stands behind `=`, so that none is taken for an option.
    fileprivate func add(_ value: JSONValue, to call: inout MCPTool.Call, _ paths: MCPPaths) throws {
        func append(_ text: String) { call.arguments.append(option.map { "\($0)=\(text)" } ?? text) }
        switch (kind, value) {
        case (.text, .string(let text)):
            guard !text.utf8.contains(0) else { throw CommandError("\(name) has a character that no text may have.") }
            append(text)
        case (.path, .string(let text)): append(try paths.argument(text))
        case (.paths, .array(let members)):
            let list = try members.map { member in
                guard let text = member.string else { throw wrong(member) }
                return try paths.argument(text)
            }
            // The list stands behind its option.
            if !list.isEmpty { call.arguments += [option].compactMap { $0 } + list }
        case (.flag, .boolean(let flag)):
            if flag, let option { call.arguments.append(option) }
        case (.number(let range), .number(let digits)):
            guard let number = Int(digits), range.contains(number) else {
                throw CommandError("\(name) must be \(range.lowerBound) to \(range.upperBound), and is \(digits).")
            }
            append(digits)
        case (.rows, .array): call.input = value.text
        default: throw wrong(value)
        }
    }

    private func wrong(_ value: JSONValue) -> CommandError {
        let expected =
            switch kind {
            case .text, .path: "a string"
            case .flag: "true or false"
            case .paths: "an array of strings"
            case .number: "an integer"
            case .rows: "an array of objects"
            }
        return CommandError("\(name) must be \(expected), and is \(value.kind).")
    }
}
