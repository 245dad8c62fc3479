// SPDX-License-Identifier: Apache-2.0

/// The syntax of a type.
package indirect enum TypeSyntax: Hashable {
    /// One component of a dotted name.
    package struct Component: Hashable {
        package let name: String
        package let arguments: [TypeSyntax]

        package init(name: String, arguments: [TypeSyntax]) {
            self.name = name
            self.arguments = arguments
        }
    }

    case named([Component])
    /// `T?` and `T!`.
    case optional(TypeSyntax)
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    /// `()`. A single type in parentheses is the type itself.
    case void
    /// `any P`.
    case existential(TypeSyntax)
    /// Tuples, functions and compositions, which no property of a model has.
    case other(String)

    /// The name of a type without dots and arguments; nil for other types.
    package var simpleName: String? {
        guard case .named(let components) = self, components.count == 1, components[0].arguments.isEmpty else {
            return nil
        }
        return components[0].name
    }

    /// The dotted name without generic arguments; nil for other types.
    package var path: [String]? {
        guard case .named(let components) = self else { return nil }
        return components.map(\.name)
    }

    /// The type without `?`.
    package var unwrapped: TypeSyntax {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }
}
