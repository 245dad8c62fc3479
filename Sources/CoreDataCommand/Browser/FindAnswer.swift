// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// `/find/Person?q=`: the objects that a picker offers while a text is typed.
struct FindAnswer {
    private static let count = 20

    private struct Item: Encodable {
        let id: String
        let label: String
    }

    let response: WebResponse

    init(entity name: String, request: WebRequest, reader: StoreReader) throws {
        let search = ObjectSearch(request.query["q"] ?? "")
        let found = try search.objects(
            of: reader.entity(named: name), store: reader.store, limit: Self.count, in: reader.context)
        let items = found.map {
            Item(id: ObjectIDText($0.objectID).short, label: HTML.shown(ObjectLabel.text(of: $0)))
        }
        response = WebResponse(type: "application/json", body: try JSONEncoder().encode(items))
    }
}
