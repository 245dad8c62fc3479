// SPDX-License-Identifier: Apache-2.0

/// The JSON in which stores keep values without another stored form.
enum JSONForm {
    static func data(of value: any Encodable) throws -> Data {
        let encoder = JSONEncoder()
        // Equal values give equal bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(value)
    }

    static func value(of type: any Decodable.Type, in data: Data) throws -> Any {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: data)
    }

    // MARK: Enumerations

    /// The JSON of a case without a payload.
    static let emptyPayload = Data("{}".utf8)

    /// The members of a value that is a JSON object, each as JSON: the case of an enumeration with its payload.
    static func members(of value: any Encodable) throws -> [String: Data] {
        let object = try JSONSerialization.jsonObject(with: data(of: value), options: .fragmentsAllowed)
        guard let members = object as? [String: Any] else {
            throw CompositeDecoding.missing("\(type(of: value)) isn't encoded as its case and payload")
        }
        return try members.mapValues {
            try JSONSerialization.data(withJSONObject: $0, options: [.fragmentsAllowed, .sortedKeys])
        }
    }

    static func value(of type: any Decodable.Type, members: [String: Data]) throws -> Any {
        let object = try members.mapValues { try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
        return try value(of: type, in: JSONSerialization.data(withJSONObject: object))
    }
}
