// SPDX-License-Identifier: Apache-2.0

/// The form of a derivation that stores compute: a key path, or one of a few functions of key paths.
package enum DerivationForm {
    /// The functions of key paths, and of no argument.
    private static let functions: Set<String> = ["canonical:", "uppercase:", "lowercase:", "now", "count:", "sum:"]

    /// The key paths of a derivation.
    ///
    /// - Throws: ``Mismatch`` if no store computes it.
    package static func keyPaths(of derivation: NSExpression) throws(Mismatch) -> [String] {
        switch derivation.expressionType {
        case .keyPath: return [derivation.keyPath]
        case .function where functions.contains(derivation.function):
            let arguments = derivation.arguments ?? []
            guard arguments.allSatisfy({ $0.expressionType == .keyPath }) else { throw .argument }
            return arguments.map(\.keyPath)
        default: throw .function
        }
    }

    /// The part of a derivation that is not of the form.
    package enum Mismatch: Error, CustomStringConvertible {
        case argument
        case function

        /// The end of a sentence about the derivation.
        package var description: String {
            switch self {
            case .argument: "has an argument that is not a key path"
            case .function: "is not a key path, count:, sum:, canonical:, uppercase:, lowercase: or now()"
            }
        }
    }
}
