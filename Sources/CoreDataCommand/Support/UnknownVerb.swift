// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The message for a misspelt verb. The argument parser calls it an unexpected argument.
struct UnknownVerb {
    let message: String

    /// - Parameters:
    ///   - arguments: the arguments of the process, without its name.
    ///   - root: the command to which the first one belongs.
    init?(_ arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var path = Self.name(of: root)
        for argument in arguments {
            let verbs = command.configuration.subcommands
            guard !verbs.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            if let next = verbs.first(where: { Self.name(of: $0) == argument }) {
                command = next
                path += " \(argument)"
                continue
            }
            message = Self.message(argument, path, verbs.map(Self.name), root)
            return
        }
        return nil
    }

    private static func message(
        _ word: String, _ path: String, _ verbs: [String], _ root: any ParsableCommand.Type
    ) -> String {
        var text = "'\(path)' has no verb '\(word.prefix(50))'."
        if let near = Misspelling.nearest(to: word, among: verbs) {
            text += " Did you mean '\(path) \(near)'?"
        } else if let other = owner(of: word, below: root) {
            text += " Did you mean '\(other) \(word)'?"
        }
        return "Error: \(text)\nIts verbs are: \(verbs.joined(separator: ", ")).\n"
            + "  See '\(path) --help' for more information."
    }

    /// The command that has a verb: 'fetch' is one of 'store'.
    private static func owner(of verb: String, below root: any ParsableCommand.Type) -> String? {
        let groups = root.configuration.subcommands.filter { group in
            group.configuration.subcommands.contains { name(of: $0) == verb }
        }
        return groups.count == 1 ? "\(name(of: root)) \(name(of: groups[0]))" : nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
