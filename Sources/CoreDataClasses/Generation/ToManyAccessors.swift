// SPDX-License-Identifier: Apache-2.0

/// The methods that change a to-many relationship, in Xcode's order.
struct ToManyAccessors {
    private let relationship: PlannedProperty
    private let options: ClassGenerationOptions

    init(_ relationship: PlannedProperty, _ options: ClassGenerationOptions) {
        self.relationship = relationship
        self.options = options
    }

    var text: String { (relationship.isOrdered ? ordered : unordered).map(text).joined() }

    /// A method: the Objective-C name, the Swift declaration after `func`, and the call on the mutable collection.
    private struct Method {
        let objectiveCName: String
        let declaration: String
        let body: String
    }

    private func text(_ method: Method) -> String {
        let function = "\(options.access.modifier)func \(method.declaration)"
        guard options.style == .selfContained else {
            return GeneratedText.objectiveCName(method.objectiveCName, indent: "    ")
                + "    @NSManaged \(function)\n\n"
        }
        let collection = relationship.isOrdered ? "mutableOrderedSetValue" : "mutableSetValue"
        return
            """
                \(function) {\n        \(collection)(forKey: \
            \(String(reflecting: relationship.name))).\(method.body)\n    }\n\n
            """
    }

    private var name: String { relationship.capitalizedName }

    private var element: String { relationship.element ?? "NSManagedObject" }

    /// The collection type of the property.
    private var collection: String {
        relationship.type.hasSuffix("?") ? String(relationship.type.dropLast()) : relationship.type
    }

    private var unordered: [Method] {
        memberMethods(adding: "union(values as! Set<AnyHashable>)", removing: "minus(values as! Set<AnyHashable>)")
    }

    /// The methods that both kinds of relationships have: for one object, and for the objects of a collection.
    private func memberMethods(adding: String, removing: String) -> [Method] {
        [
            Method(
                objectiveCName: "add\(name)Object:", declaration: "addTo\(name)(_ value: \(element))",
                body: "add(value)"),
            Method(
                objectiveCName: "remove\(name)Object:", declaration: "removeFrom\(name)(_ value: \(element))",
                body: "remove(value)"),
            Method(
                objectiveCName: "add\(name):", declaration: "addTo\(name)(_ values: \(collection))", body: adding),
            Method(
                objectiveCName: "remove\(name):", declaration: "removeFrom\(name)(_ values: \(collection))",
                body: removing),
        ]
    }

    private var ordered: [Method] {
        let indexes = "indexes: NSIndexSet"
        return [
            Method(
                objectiveCName: "insertObject:in\(name)AtIndex:",
                declaration: "insertInto\(name)(_ value: \(element), at idx: Int)",
                body: "insert(value, at: idx)"),
            Method(
                objectiveCName: "removeObjectFrom\(name)AtIndex:", declaration: "removeFrom\(name)(at idx: Int)",
                body: "removeObject(at: idx)"),
            Method(
                objectiveCName: "insert\(name):atIndexes:",
                declaration: "insertInto\(name)(_ values: [\(element)], at \(indexes))",
                body: "insert(values, at: IndexSet(indexes))"),
            Method(
                objectiveCName: "remove\(name)AtIndexes:", declaration: "removeFrom\(name)(at \(indexes))",
                body: "removeObjects(at: IndexSet(indexes))"),
            Method(
                objectiveCName: "replaceObjectIn\(name)AtIndex:withObject:",
                declaration: "replace\(name)(at idx: Int, with value: \(element))",
                body: "replaceObject(at: idx, with: value)"),
            Method(
                objectiveCName: "replace\(name)AtIndexes:with\(name):",
                declaration: "replace\(name)(at \(indexes), with values: [\(element)])",
                body: "replaceObjects(at: IndexSet(indexes), with: values)"),
        ] + memberMethods(adding: "addObjects(from: values.array)", removing: "removeObjects(in: values.array)")
    }
}
