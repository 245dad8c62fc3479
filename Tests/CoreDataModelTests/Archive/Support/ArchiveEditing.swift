@testable import CoreDataModel
@testable import CoreDataPredicates

/// Makes changes to archives that no writer would make.
enum ArchiveEditing {
    /// Replaces the default value of an attribute by an object of an unknown class.
    static func replacingDefault(of attribute: String, in data: Data) throws -> Data {
        try editing(data) { objects in
            let name = objects.firstIndex(of: .string(attribute))
            let first = objects.count
            objects += [
                .dictionary(["$class": .uid(first + 1), "parts": .uid(first + 2), "alpha": .real(0.5)]),
                .dictionary([
                    "$classname": .string("MyApp.Color"),
                    "$classes": .array([.string("MyApp.Color"), .string("NSObject")]),
                ]),
                .dictionary(["$class": .uid(first + 1), "whole": .uid(first)]),
            ]
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index], contents["NSDefaultValue"] != nil,
                    contents["NSPropertyName"]?.uidValue == name
                else { continue }
                contents["NSDefaultValue"] = .uid(first)
                objects[index] = .dictionary(contents)
            }
        }
    }

    /// Changes the objects of an archive.
    static func editing(_ data: Data, _ edit: (inout [PropertyListValue]) throws -> Void) throws -> Data {
        guard case .dictionary(var archive) = try PropertyListReader.read(data),
            var objects = archive["$objects"]?.arrayValue
        else { return data }
        try edit(&objects)
        archive["$objects"] = .array(objects)
        return BinaryPropertyListWriter.write(.dictionary(archive))
    }

    /// Changes every object of a class.
    static func editing(
        _ data: Data, class name: String, _ edit: (inout PropertyListDictionary) -> Void
    ) throws -> Data {
        try editing(data) { objects in
            let classIndex = objects.firstIndex { $0.dictionaryValue?["$classname"] == .string(name) }
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index], let classIndex,
                    contents["$class"] == .uid(classIndex)
                else { continue }
                edit(&contents)
                objects[index] = .dictionary(contents)
            }
        }
    }

    static func xml(_ value: PropertyListValue) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"# + element(value) + "</plist>"
    }

    private static func element(_ value: PropertyListValue) -> String {
        switch value {
        case .null: return "<string>$null</string>"
        case .boolean(let flag): return flag ? "<true/>" : "<false/>"
        case .integer(let number): return "<integer>\(number)</integer>"
        case .unsignedInteger(let number): return "<integer>\(number)</integer>"
        case .real(let number): return "<real>\(number)</real>"
        case .single(let number): return "<real>\(Double(number))</real>"
        case .date(let seconds):
            return "<date>\(ISO8601DateFormatter().string(from: Date(timeIntervalSinceReferenceDate: seconds)))</date>"
        case .data(let data): return "<data>\(data.base64EncodedString())</data>"
        case .string(let text):
            let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            return "<string>\(escaped)</string>"
        case .uid(let index): return "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
        case .array(let values), .set(let values): return "<array>\(values.map(element).joined())</array>"
        case .dictionary(let dictionary):
            return "<dict>\(dictionary.entries.map { "<key>\($0.key)</key>\(element($0.value))" }.joined())</dict>"
        }
    }
}

extension ArchiveEditing {
    /// Replaces the copies of inherited properties by proxies, and some strings by mutable strings.
    static func withProxies(_ data: Data) throws -> Data {
        let root = try KeyedArchiveReader(data).root()
        let entities = try root.entries("NSEntities") ?? []
        return try editing(data) { objects in
            let proxyClass = objects.count
            objects.append(.dictionary(["$classname": .string("_NSPropertyDescriptionProxy"), "$classes": .array([])]))
            let stringClass = objects.count
            objects.append(.dictionary(["$classname": .string("NSMutableString"), "$classes": .array([])]))
            for case (_, .object(let entity)) in entities {
                if let name = entity.contents["NSEntityName"]?.uidValue {
                    objects[name] = .dictionary(["$class": .uid(stringClass), "NS.string": objects[name]])
                }
                guard let parent = try entity.object("NSSuperentity") else { continue }
                let inherited = Dictionary(uniqueKeysWithValues: try parent.entries("NSProperties") ?? [])
                for (name, value) in try entity.entries("NSProperties") ?? [] {
                    guard let copy = value.object, let original = inherited[name]?.object else { continue }
                    objects[copy.index] = .dictionary([
                        "$class": .uid(proxyClass), "NSEntityDescription": .uid(entity.index),
                        "NSUnderlyingProperty": .uid(original.index), "NSReferenceID": .integer(1),
                    ])
                }
            }
        }
    }
}
