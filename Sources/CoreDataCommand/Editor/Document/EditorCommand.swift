// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// A command of a page, as JSON.
struct EditorCommand: Decodable {
    enum Kind: String, Decodable {
        case set, add, remove, rename, relate, userInfo, constraints, index, members, place, text
        case undo, redo, save, reload, keep, addVersion, setCurrent
    }

    let kind: Kind
    private var path: String?
    private var attribute: String?
    private var value: String?
    private var element: String?
    private(set) var name: String?
    private var attributes: [String: String]?
    private var keepsValues: Bool?
    private var relation: Relation?
    private var entries: [ModelEdit.Entry]?
    private var lists: [[String]]?
    private var elements: [IndexElement]?
    private var names: [String]?
    private var positions: [String: ModelEdit.Position]?
    private(set) var text: String?

    private struct Relation: Decodable {
        let source: String
        let destination: String
        var name: String?
        var inverse: String?
        var isToMany: Bool?
        var inverseIsToMany: Bool?
    }

    private struct IndexElement: Decodable {
        var property: String?
        var expression: String?
        var expressionType: String?
        var isSpatial: Bool?
        var isDescending: Bool?
    }

    /// The edit of the model; nil for a command on files or steps.
    ///
    /// - Throws: `WebFault` (400) for a command without a part.
    var edit: ModelEdit? {
        get throws {
            switch kind {
            case .set: return .set(try place(), attribute: try part(attribute, "attribute"), value: value)
            case .add:
                return .add(
                    to: try place(), kind: try part(element, "element"), name: name, attributes: attributes ?? [:])
            case .remove: return .remove(try place())
            case .rename:
                return .rename(try place(), to: try part(name, "name"), keepsValues: keepsValues ?? false)
            case .relate: return .relate(try relationValue())
            case .userInfo: return .setUserInfo(try place(), try part(entries, "entries"))
            case .constraints:
                return .setConstraints(entity: try place().entityName ?? "", try part(lists, "lists"))
            case .index: return .setIndex(try place(), try part(elements, "elements").map(Self.element))
            case .members: return .setMembers(configuration: try place().name ?? "", try part(names, "names"))
            case .place: return .place(try part(positions, "positions"))
            case .text: return .setText(try part(text, "text"))
            case .undo, .redo, .save, .reload, .keep, .addVersion, .setCurrent: return nil
            }
        }
    }

    private func place() throws -> ModelPath {
        guard let path = ModelPath(try part(path, "path")) else {
            throw WebFault(400, "The command has a path that can't be read.")
        }
        return path
    }

    private func part<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw WebFault(400, "The command lacks ‘\(name)’.") }
        return value
    }

    private func relationValue() throws -> ModelEdit.Relation {
        let given = try part(relation, "relation")
        var relation = ModelEdit.Relation(source: given.source, destination: given.destination)
        relation.name = given.name
        relation.inverse = given.inverse
        relation.isToMany = given.isToMany ?? false
        relation.inverseIsToMany = given.inverseIsToMany ?? false
        return relation
    }

    private static func element(_ given: IndexElement) -> ModelEdit.IndexElement {
        var element = ModelEdit.IndexElement(property: given.property ?? "")
        element.expression = given.expression
        element.expressionType = given.expressionType
        element.isSpatial = given.isSpatial ?? false
        element.isDescending = given.isDescending ?? false
        return element
    }
}
