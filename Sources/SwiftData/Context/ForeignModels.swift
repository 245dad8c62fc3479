// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The models that a context couldn't insert, since the container's schema doesn't have their classes.
struct ForeignModels {
    private var messages: [String] = []

    var isEmpty: Bool { messages.isEmpty }

    mutating func add(_ object: ModelObject, schema: Schema) {
        let message = Self.message(of: object.modelType, in: schema)
        guard !messages.contains(message) else { return }
        messages.append(message)
        CoreDataLog.error("\(message) It isn't inserted, and the next save fails.")
    }

    /// - Throws: `SwiftDataError.unknownSchema` with the classes.
    func check() throws {
        guard !messages.isEmpty else { return }
        throw SwiftDataError(
            .unknownSchema,
            """
            \(messages.joined(separator: " ")) Add the class to the schema, or use the class of the container's \
            version. rollback() drops what was inserted.
            """)
    }

    static func message(of type: any PersistentModel.Type, in schema: Schema) -> String {
        let name = ModelMetadata.of(type).name
        if let known = schema.entitiesByName[name]?.modelType, known != type {
            return """
                The model \(_typeName(type, qualified: true)) isn't in the schema of the container, which has another \
                class of that name: \(_typeName(known, qualified: true)).
                """
        }
        let names = schema.entities.map(\.name).joined(separator: ", ")
        return "The model \(name) isn't in the schema of the container. Its models are: \(names)."
    }
}
