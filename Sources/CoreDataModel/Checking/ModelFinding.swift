// SPDX-License-Identifier: Apache-2.0

/// A finding of the model checks: an error or a probable error.
package struct ModelFinding: Equatable, Sendable {
    /// The severity of a finding.
    package enum Severity: String, Sendable {
        /// The model can't be used as it is.
        case error
        /// The model can be used, but probably not with the intended effect.
        case warning
    }

    /// The check that found it. Each kind can be silenced.
    package enum Kind: String, Sendable, CaseIterable {
        case inverse, className, transformer, cascadeCycle, deleteRule, limits, defaultValue, cloudKit, type, index,
            name, abstract
        case fetchRequest, localization, propertyCount, renaming, spelling, shippedVersion, generation, decompiling
    }

    package let severity: Severity
    package let kind: Kind
    /// The entity concerned.
    package let entity: String?
    /// The property, index, template or other key concerned.
    package let key: String?
    /// A sentence that contains the names, without a full stop.
    package let message: String
    /// The line in the source file; nil if it isn't known.
    package let line: Int?

    package init(
        _ severity: Severity, _ kind: Kind, entity: String? = nil, key: String? = nil, line: Int? = nil,
        _ message: String
    ) {
        self.severity = severity
        self.kind = kind
        self.entity = entity
        self.key = key
        self.line = line == 0 ? nil : line
        self.message = message
    }

    /// The finding in the format of compilers: `path:line: warning: message`. Control characters in names are escaped.
    ///
    /// - Parameter path: the file, as shown to the user.
    package func text(path: String) -> String {
        let location = line.map { "\(path):\($0)" } ?? path
        return MessageText.oneLine("\(location): \(severity.rawValue): \(message)")
    }
}

/// Texts for terminals and build logs.
enum MessageText {
    /// The text on one line. Control characters are escaped as in Swift.
    static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(
            text.unicodeScalars.reduce(into: "") { result, scalar in
                result += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            })
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
    }
}
