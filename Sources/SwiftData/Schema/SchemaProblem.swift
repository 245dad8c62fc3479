// SPDX-License-Identifier: Apache-2.0

/// A mistake in the classes of a schema. A container throws it.
struct SchemaProblem: Error {
    let entity: String
    let property: String?
    let reason: String

    init(_ entity: String, _ property: String? = nil, _ reason: String) {
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    var message: String { "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)" }

    /// The error of a container.
    static func error(_ problems: [SchemaProblem]) -> SwiftDataError {
        SwiftDataError(.loadIssueModelContainer, problems.map(\.message).joined(separator: "\n"))
    }
}
