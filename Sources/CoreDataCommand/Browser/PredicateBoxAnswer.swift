// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// The answer to the text of the predicate box while it is typed.
struct PredicateBoxAnswer {
    let response: WebResponse

    private struct Content: Encodable {
        var message = ""
        /// The position of the mistake in UTF-16 units, as text fields count.
        var position: Int?
    }

    init(entity name: String, request: WebRequest, reader: StoreReader) throws {
        let entity = try reader.entity(named: name)
        let text = request.query["p"] ?? ""
        var content = Content()
        do {
            if !text.isEmpty {
                let predicate = try NSPredicate.parse(text, arguments: [])
                try KeyPathCheck(entity: entity).check(predicate)
                _ = try DateConstants(entity: entity).read(predicate)
            }
        } catch let error as PredicateFormatError {
            let before = text.unicodeScalars.prefix(error.position).reduce(0) { $0 + UTF16.width($1) }
            content = Content(message: "At position \(error.position + 1): \(error.expected).", position: before)
        } catch {
            content.message = ErrorReport.text(for: error)
        }
        response = WebResponse(type: "application/json", body: try JSONEncoder().encode(content))
    }
}
