import CoreData
import Testing

/// An expression with a name, for `propertiesToFetch`.
package func column(_ name: String, _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType)
    -> NSExpressionDescription
{
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    description.expressionResultType = type
    return description
}

package func column(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType)
    -> NSExpressionDescription
{
    column(name, NSExpression(format: format), type)
}

package func dictionaryRequest(
    _ entity: String, _ fetch: [Any]?, where predicate: String? = nil, group: [Any]? = nil, having: NSPredicate? = nil,
    sort: [NSSortDescriptor] = []
) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = fetch
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.propertiesToGroupBy = group
    request.havingPredicate = having
    request.sortDescriptors = sort
    return request
}

package func up(_ key: String) -> NSSortDescriptor { NSSortDescriptor(key: key, ascending: true) }
package func down(_ key: String) -> NSSortDescriptor { NSSortDescriptor(key: key, ascending: false) }

extension NSManagedObjectContext {
    /// The results of a fetch of dictionaries, each as `key=value` in order of keys.
    package func texts(_ request: NSFetchRequest<NSDictionary>) throws -> [String] {
        try fetch(request).map { dictionary in
            let values = try #require(dictionary as? [String: Any])
            return values.keys.sorted().map { "\($0)=\(text(values[$0]!))" }.joined(separator: " ")
        }
    }

    private func text(_ value: Any) -> String {
        switch value {
        case let id as NSManagedObjectID:
            let object = try? existingObject(with: id)
            return (object?.entity.propertiesByName["name"] == nil ? object?.text("title") : object?.text("name"))
                ?? "?"
        case let number as NSNumber: return number.stringValue
        case let date as Date: return "@\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: return "\(data.count) bytes"
        default: return "\(value)"
        }
    }
}
