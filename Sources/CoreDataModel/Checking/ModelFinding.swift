/// Something in a model that a modeller should know: a mistake, or what is likely to be one.
package struct ModelFinding: Equatable, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The model can't do what it says.
        case error
        /// The model works, but perhaps not as meant.
        case warning
    }

    /// What was checked; a kind may be switched off.
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
    /// The sentence, with the names in it, without a full stop.
    package let message: String
    /// The line in the source file; nil where it isn't known.
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

    /// The finding as compilers print it: `path:line: warning: message`. Control characters, which a hostile name may
    /// hold, are escaped.
    ///
    /// - Parameter path: the file, as the reader of the message should see it.
    package func text(path: String) -> String {
        let place = line.map { "\(path):\($0)" } ?? path
        return MessageText.oneLine("\(place): \(severity.rawValue): \(message)")
    }
}

/// Texts for terminals and build logs.
package enum MessageText {
    /// The text on one line: control characters are written as Swift escapes.
    package static func oneLine(_ text: String) -> String {
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
