// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Values as markup.
enum CellMarkup {
    /// The value of a property in a table, cut.
    static func short(_ property: NSPropertyDescription, of object: NSManagedObject) -> HTML {
        if let relationship = property as? NSRelationshipDescription {
            if relationship.isToMany {
                return "<a href=\"\(members(of: object, relationship))\">show</a>"
            }
            guard let target = object.value(forKey: relationship.name) as? NSManagedObject else { return none }
            return link(to: target)
        }
        guard let attribute = property as? NSAttributeDescription, !attribute.isTransient else { return none }
        let value = CellValue(attribute: attribute, value: object.value(forKey: attribute.name))
        switch value {
        case .none: return none
        case .text(let text): return "<bdi>\(ObjectLabel.cut(text, to: 120))</bdi>"
        case .data(let data): return binary(data, attribute, object)
        case .date(let date):
            // Whole seconds are enough in a table; the page of the object has all digits.
            let second = Date(
                timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
            return "<time datetime=\"\(value.text)\" title=\"\(value.text)\">\(DateText.text(of: second))</time>"
        default: return "\(ObjectLabel.cut(value.text, to: 200))"
        }
    }

    static let none: HTML = "<span class=\"nil\">nil</span>"

    static func link(to object: NSManagedObject) -> HTML {
        let path = BrowserRoute.object(.init(object.objectID)).path()
        return "<a href=\"\(path)\"><bdi>\(ObjectLabel.text(of: object))</bdi></a>"
    }

    static func binary(_ data: Data, _ attribute: NSAttributeDescription, _ object: NSManagedObject) -> HTML {
        let path = BrowserRoute.value(.init(object.objectID), key: attribute.name).path()
        return "<a href=\"\(path)\">\(BinaryType(of: data).name), \(Amount.text(data.count, "byte"))</a>"
    }

    /// The table of a to-many relationship's members.
    static func members(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> String {
        let reference = "\(ObjectIDText(object.objectID).short)/\(relationship.name)"
        return BrowserRoute.table(entity: relationship.destinationEntity?.name ?? "").path(
            FormValues([("of", reference)]))
    }

    static func isNumber(_ property: NSPropertyDescription) -> Bool {
        guard let attribute = property as? NSAttributeDescription else { return false }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType:
            return true
        default: return false
        }
    }
}

/// The type of a binary value by its first bytes.
struct BinaryType {
    let name: String
    /// The media type of bytes that a page may show; nil for bytes that are only offered as a file.
    let mediaType: String?
    let fileExtension: String

    init(of data: Data) {
        let start = Array(data.prefix(12))
        func begins(_ bytes: [UInt8]) -> Bool { start.starts(with: bytes) }
        switch true {
        case begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]): self.init("PNG image", "image/png", "png")
        case begins([0xff, 0xd8, 0xff]): self.init("JPEG image", "image/jpeg", "jpg")
        case begins(Array("GIF8".utf8)): self.init("GIF image", "image/gif", "gif")
        case begins(Array("RIFF".utf8)) && Array(start.dropFirst(8)) == Array("WEBP".utf8):
            self.init("WebP image", "image/webp", "webp")
        case begins(Array("bplist".utf8)): self.init("property list", nil, "plist")
        case begins(Array("%PDF".utf8)): self.init("PDF", nil, "pdf")
        default: self.init("data", nil, "bin")
        }
    }

    private init(_ name: String, _ mediaType: String?, _ fileExtension: String) {
        self.name = name
        self.mediaType = mediaType
        self.fileExtension = fileExtension
    }
}

/// `/b/Song/p12/cover`: the bytes of a value.
struct BinaryValue {
    let object: NSManagedObject
    let key: String

    func response(download: Bool) throws -> WebResponse {
        guard let attribute = object.entity.attributesByName[key], !attribute.isTransient else {
            throw WebFault.notFound
        }
        let name = "\(object.entity.name ?? "")-p\(object.objectID.key)-\(key)"
        switch CellValue(attribute: attribute, value: object.value(forKey: key)) {
        case .data(let data):
            let type = BinaryType(of: data)
            guard let mediaType = type.mediaType, !download else {
                return attachment(data, "\(name).\(type.fileExtension)")
            }
            return WebResponse(type: mediaType, body: data)
        case .text(let text): return attachment(Data(text.utf8), "\(name).txt")
        default: throw WebFault(404, "The object has no value of ‘\(key)’ that can be saved.")
        }
    }

    private func attachment(_ data: Data, _ name: String) -> WebResponse {
        WebResponse(
            type: "application/octet-stream", body: data,
            headers: ["Content-Disposition": "attachment; filename=\"\(WebResponse.fileName(name))\""])
    }
}
