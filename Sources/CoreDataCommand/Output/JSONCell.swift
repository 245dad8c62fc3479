import OpenCoreData

/// A cell as JSON has it.
struct JSONCell: Encodable {
    let value: CellValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .none: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .date(let date): try container.encode(CellValue.text(of: date))
        case .data(let data): try container.encode(data.base64EncodedString())
        case .reference(let reference): try container.encode(reference.uri)
        case .references(let references): try container.encode(references.map(\.uri))
        }
    }
}
