// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of attributes and the types of properties on the page of an object.
enum ValueMarkup {
    private static let textLimit = 20_000

    static func type(_ attribute: NSAttributeDescription) -> String {
        AttributeOutline(attribute: attribute).typeName + (attribute.isOptional ? ", optional" : "")
    }

    /// The type of a relationship: `ordered, to many Song, inverse Song.album`.
    static func type(_ relationship: NSRelationshipDescription) -> String {
        let destination = relationship.destinationEntity?.name ?? ""
        let inverse = relationship.inverseRelationship.map { "inverse \(destination).\($0.name)" } ?? "no inverse"
        let kind = (relationship.isOrdered ? "ordered, " : "") + "to " + (relationship.isToMany ? "many" : "one")
        return "\(kind) \(destination), \(inverse)"
    }

    /// The value with all of its digits and lines.
    static func full(_ attribute: NSAttributeDescription, of object: NSManagedObject) -> HTML {
        let cell = CellValue(attribute: attribute, value: object.value(forKey: attribute.name))
        let path = BrowserRoute.value(.init(object.objectID), key: attribute.name).path()
        switch cell {
        case .text(let text) where text.utf8.count > textLimit:
            return """
                <bdi class="text">\(ObjectLabel.cut(text, to: textLimit))</bdi>
                <p><a href="\(path)">Save all of it, \(Amount.text(text.utf8.count, "byte"))</a></p>
                """
        case .text(let text): return "<bdi class=\"text\">\(text)</bdi>" + (ValuePreview(text)?.html ?? "")
        case .data(let data):
            let link = CellMarkup.binary(data, attribute, object)
            guard BinaryType(of: data).mediaType != nil else { return link + (ValuePreview(data)?.html ?? "") }
            return "<img src=\"\(path)\" alt=\"\(attribute.name)\" loading=\"lazy\"><br>\(link)"
        case .composite(let elements): return composite(elements)
        case .date: return "<time>\(cell.text)</time>"
        default: return CellMarkup.short(attribute, of: object)
        }
    }

    /// The elements of a composite value, each with its preview.
    private static func composite(_ elements: [CellValue.CompositeElement]) -> HTML {
        "<dl>\(elements.map { "<dt>\($0.name)</dt><dd>\(element($0.value))</dd>" as HTML })</dl>"
    }

    /// The value of an element, with its preview.
    static func element(_ value: CellValue) -> HTML {
        switch value {
        case .none: CellMarkup.none
        case .composite(let elements): composite(elements)
        case .text(let text):
            "<bdi class=\"text\">\(ObjectLabel.cut(text, to: textLimit))</bdi>\(ValuePreview(text)?.html)"
        case .data(let data):
            "\(BinaryType(of: data).name), \(Amount.text(data.count, "byte"))\(ValuePreview(data)?.html)"
        default: "\(value.text)"
        }
    }
}
