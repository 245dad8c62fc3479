// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Encodes models and descriptions into archives of the program's objects (`NSCoding`).
///
/// On Linux the unarchiver can't read reference cycles, which entities and properties form, and stops the program if an
/// object has an unexpected class. Therefore one data value is encoded: a property list with the model's own archive
/// and, for a description, the path to it.
enum ModelCoding {
    private static let embedded = EmbeddedArchive(key: "NSModelArchive", contents: "Models")

    private enum Entry {
        static let model = "model"
        static let localization = "localization"
        static let path = "path"
        static let isDetached = "detached"
    }

    // MARK: Writing

    static func encode(_ model: NSManagedObjectModel, with coder: NSCoder) {
        write(contents(model), with: coder)
    }

    static func encode(_ part: EncodedDescription, with coder: NSCoder) {
        write(
            contents(part.model) + [
                (Entry.path, .array(part.path.map(PropertyListValue.string))),
                (Entry.isDetached, .boolean(part.isDetached)),
            ], with: coder)
    }

    private static func contents(_ model: NSManagedObjectModel) -> [(key: String, value: PropertyListValue)] {
        var entries: [(key: String, value: PropertyListValue)] = []
        do {
            entries.append((Entry.model, .data(try ModelArchive.encode(model, as: .coded))))
        } catch {
            programmingError(
                """
                The model can't be archived: \(ModelArchive.reason(error)) Complete the model, and use values and \
                predicates that have an archived form.
                """
            )
        }
        if let localization = model.localizationDictionary {
            let texts = localization.sortedBytewise { $0.key }
            entries.append(
                (Entry.localization, .dictionary(PropertyListDictionary(texts.map { ($0.key, .string($0.value)) }))))
        }
        return entries
    }

    private static func write(_ entries: [(key: String, value: PropertyListValue)], with coder: NSCoder) {
        embedded.encode(BinaryPropertyListWriter.write(.dictionary(PropertyListDictionary(entries))), with: coder)
    }

    // MARK: Reading

    /// The model in an archive; nil after an error was reported to the coder.
    static func model(from coder: NSCoder) -> NSManagedObjectModel? {
        read(coder) { try model(in: $0) }
    }

    /// The description of the given class in an archive; nil after an error was reported to the coder.
    static func part<Part: NSObject & NSCopying>(of type: Part.Type, from coder: NSCoder) -> AnyObject? {
        read(coder) { entries in
            let model = try model(in: entries)
            guard let path = entries[Entry.path]?.arrayValue?.map(\.stringValue), !path.contains(nil),
                let found = EncodedDescription.description(path.compactMap { $0 }, in: model) as? Part
            else { throw keyedArchiveError("it contains no \(type)") }
            return entries[Entry.isDetached]?.booleanValue == true
                ? PlaceholderModel.detached(found) : EncodedDescription.copy(of: found, retaining: model)
        }
    }

    private static func model(in entries: PropertyListDictionary) throws -> NSManagedObjectModel {
        guard let data = entries[Entry.model]?.dataValue else { throw keyedArchiveError("it contains no model") }
        let model = try ModelArchive.decode(data, isPartial: true)
        if let texts = entries[Entry.localization]?.dictionaryValue {
            model.localizationDictionary = try Dictionary(
                texts.entries.map { key, value in
                    guard let text = value.stringValue else {
                        throw keyedArchiveError("the localization of \"\(key)\" is not a string")
                    }
                    return (key, text)
                }, uniquingKeysWith: { $1 })
        }
        return model
    }

    private static func read<Value>(_ coder: NSCoder, _ make: (PropertyListDictionary) throws -> Value?) -> Value? {
        embedded.decode(from: coder) { data in
            guard let data, let entries = try PropertyListReader.read(data).dictionaryValue else {
                throw keyedArchiveError("it contains no model")
            }
            return try make(entries)
        }
    }
}
