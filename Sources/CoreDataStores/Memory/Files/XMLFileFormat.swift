// SPDX-License-Identifier: Apache-2.0

/// The file of a store of type `NSXMLStoreType`, with Core Data's elements.
///
/// `database` contains `databaseInfo` (`version`, `UUID`, `nextObjectID`, `metadata` with a property list) and the
/// objects: `<object type="SONG" id="z102">`, in it `<attribute name="title" type="string">` with the value as text,
/// and `<relationship name="album" type="1/1" destination="ALBUM" idrefs="z103">`. An attribute that is nil has no
/// element.
package enum XMLFileFormat: AtomicFileFormat {
    package static let storeType = NSXMLStoreType

    /// The version of the format in Core Data's files.
    private static let version = "134481920"
    private static let infoStart = Data("<databaseInfo>".utf8)
    private static let infoEnd = Data("</databaseInfo>".utf8)
    /// A file that has its header later is considered damaged.
    private static let headerLimit = 64 << 20

    // MARK: Header

    package static func readHeader(_ data: Data, path: String) throws -> AtomicFileContent {
        let info = data[try infoRange(data, path)]
        guard let identifier = text(of: "UUID", in: info), let next = text(of: "nextObjectID", in: info),
            let nextKey = Int64(next), (1...AtomicFileContent.highestNextKey).contains(nextKey),
            let bytes = element("metadata", in: info),
            let start = bytes.range(of: Data("<plist".utf8)),
            let metadata = AtomicStoreMetadata.dictionary(in: Data(bytes[start.lowerBound...]))
        else { throw AtomicFileErrors.corrupt(path, "Its metadata is missing or damaged.") }
        return AtomicFileContent(identifier: identifier, metadata: metadata, nextKey: nextKey)
    }

    private static func infoRange(_ data: Data, _ path: String) throws -> Range<Data.Index> {
        let head = data.prefix(headerLimit)
        guard head.range(of: Data("<database>".utf8)) != nil, let start = head.range(of: infoStart),
            let end = head.range(of: infoEnd, in: start.upperBound..<head.endIndex)
        else {
            throw AtomicFileErrors.corrupt(path, "It isn\u{2019}t in the correct format: it is no XML store.")
        }
        return start.lowerBound..<end.upperBound
    }

    private static func element(_ name: String, in data: Data) -> Data? {
        guard let start = data.range(of: Data("<\(name)>".utf8)),
            let end = data.range(of: Data("</\(name)>".utf8), in: start.upperBound..<data.endIndex)
        else { return nil }
        return data[start.upperBound..<end.lowerBound]
    }

    private static func text(of name: String, in data: Data) -> String? {
        element(name, in: data).flatMap { String(bytes: $0, encoding: .utf8) }
    }

    package static func replacingHeader(of data: Data, by header: AtomicFileContent, path: String) throws -> Data {
        var result = data
        result.replaceSubrange(try infoRange(data, path), with: try info(header, path))
        return result
    }

    private static func info(_ header: AtomicFileContent, _ path: String) throws -> Data {
        let list = try AtomicStoreMetadata.data(header.metadata, format: .xml, path: path)
        let start = list.range(of: Data("<plist".utf8))?.lowerBound ?? list.startIndex
        return Data(
            """
            <databaseInfo>
                    <version>\(version)</version>
                    <UUID>\(XMLFileText.escaped(header.identifier))</UUID>
                    <nextObjectID>\(header.nextKey)</nextObjectID>
                    <metadata>

            """.utf8) + list[start...] + Data("        </metadata>\n    </databaseInfo>".utf8)
    }

    // MARK: Reading

    package static func read(_ data: Data, path: String) throws -> AtomicFileContent {
        var content = try readHeader(data, path: path)
        let reader = XMLFileObjects()
        do {
            try XMLElementReader.read(data, from: URL(fileURLWithPath: path), reportingTo: reader)
        } catch {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileReadCorruptFile.rawValue, path, .opening,
                reason: "It isn\u{2019}t in the correct format: \(CoreDataErrors.reason(of: error))",
                suggestion: "Restore the file from a backup.", userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
        content.objects = reader.objects
        return content
    }

    // MARK: Writing

    package static func write(_ content: AtomicFileContent, names: AtomicFileNames, path: String) throws -> Data {
        var text = XMLFileText()
        for object in content.objects {
            let entity = names.capitals(object.entity)
            text.append("    <object type=\"\(XMLFileText.escaped(entity))\" id=\"z\(object.key)\">\n")
            for value in object.values {
                text.append(value, name: names.smallLetters(value.name, of: object.entity))
            }
            for relationship in object.relationships {
                // The XML parser refuses an attribute of more than ten million bytes.
                guard relationship.keys.count < 450_000 else {
                    throw AtomicFileErrors.error(
                        NSPersistentStoreSaveError, path, .saving,
                        reason: """
                            The relationship \(object.entity).\(relationship.name) has \(relationship.keys.count) \
                            objects, more than an XML store can have.
                            """,
                        suggestion: "Use a SQLite or binary store.")
                }
                text.append(
                    relationship, name: names.smallLetters(relationship.name, of: object.entity),
                    destination: names.capitals(relationship.destination))
            }
            text.append("    </object>\n")
        }
        return Data(
            """
            <?xml version="1.0"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>

            """.utf8) + Data("    ".utf8) + (try info(content, path)) + Data("\n".utf8) + text.bytes
            + Data("</database>\n".utf8)
    }
}
