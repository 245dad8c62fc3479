// SPDX-License-Identifier: Apache-2.0

extension PropertySlot {
    /// The value of a cell as the result of `value(forKey:)`: numbers as `NSNumber`, decimals as `NSDecimalNumber`,
    /// other values as Swift values.
    package func read(_ cells: Cells) -> Any? {
        switch kind {
        case .integer16, .integer32, .integer64:
            return cells.isPresent(cell) ? NumberObjects.integer(cells.integer(cell)) : nil
        case .boolean:
            return cells.isPresent(cell) ? NSNumber(value: cells.integer(cell) != 0) : nil
        case .double:
            return cells.isPresent(cell) ? NumberObjects.double(cells.double(cell)) : nil
        case .float:
            return cells.isPresent(cell) ? NSNumber(value: Float(cells.double(cell))) : nil
        case .date:
            return cells.isPresent(cell) ? Date(timeIntervalSinceReferenceDate: cells.double(cell)) : nil
        case .string:
            return cells.string(cell).pointee
        case .decimal, .data, .uuid, .uri, .transformable, .objectID, .undefined:
            return cells.object(cell).pointee.flatMap(objectValue)
        case .composite:
            return CompositeValue.read(self, cells)
        case .toOne, .toMany, .fetched:
            return nil
        }
    }

    /// Writes a value into a cell. Stops the program for a value of a wrong type, as Core Data does.
    package func write(_ newValue: Any?, to cells: Cells, entity: String) {
        guard let value = newValue.flatMap(Self.unwrapped) else {
            clear(cells)
            return
        }
        switch kind.family {
        case .scalar: writeScalar(value, to: cells, entity)
        case .string: cells.string(cell).pointee = cast(value, "NSString", entity)
        case .object: cells.object(cell).pointee = object(of: value, entity)
        case .composite: CompositeValue.write(value, to: self, cells, entity: entity)
        case .reference, .none: break
        }
    }

    private func writeScalar(_ value: Any, to cells: Cells, _ entity: String) {
        switch kind {
        case .boolean:
            if type(of: value) == Bool.self { return cells.setInteger(value as! Bool ? 1 : 0, at: cell) }
            let number: NSNumber = cast(value, "NSNumber", entity)
            cells.setInteger(number.isTrue ? 1 : 0, at: cell)
        case .double:
            if type(of: value) == Double.self { return cells.setDouble(value as! Double, at: cell) }
            let number: NSNumber = cast(value, "NSNumber", entity)
            cells.setDouble(number.doubleValue, at: cell)
        case .float:
            let number: NSNumber = cast(value, "NSNumber", entity)
            cells.setDouble(Double(number.floatValue), at: cell)
        case .date:
            let date: Date = cast(value, "NSDate", entity)
            cells.setDouble(date.timeIntervalSinceReferenceDate, at: cell)
        default:
            if type(of: value) == Int.self { return cells.setInteger(Int64(value as! Int), at: cell) }
            cells.setInteger(Numbers.clampedInt64(cast(value, "NSNumber", entity)), at: cell)
        }
    }

    /// The object that a cell has for a value.
    private func object(of value: Any, _ entity: String) -> AnyObject {
        switch kind {
        case .decimal:
            if let decimal = value as? HashableDecimalNumber { return decimal }
            if let decimal = value as? Decimal { return HashableDecimalNumber(decimal: decimal) }
            guard let number = value as? NSNumber else { refuse(value, entity, "NSDecimalNumber") }
            let decimal = (number as? NSDecimalNumber)?.decimalValue ?? number.decimalOrNaN
            return HashableDecimalNumber(decimal: decimal)
        case .data: return Box<Data>(cast(value, "NSData", entity))
        case .uuid: return Box<UUID>(cast(value, "NSUUID", entity))
        case .uri: return Box<URL>(cast(value, "NSURL", entity))
        case .objectID: return cast(value, "NSManagedObjectID", entity) as NSManagedObjectID
        case .transformable: return TransformableBox(value)
        default: return Box<Any>(value)
        }
    }

    @inline(__always)
    private func cast<Value>(_ value: Any, _ desired: String, _ entity: String) -> Value {
        guard let result = value as? Value else { refuse(value, entity, desired) }
        return result
    }

    /// Whether a value has the property's type: `write(_:to:entity:)` stops the program for any other value of an
    /// attribute. A composite accepts a dictionary whose keys are its elements and whose values these accept.
    package func accepts(_ value: Any) -> Bool {
        switch kind {
        case .toOne: value is any IdentifiedObject
        case .toMany: value is NSSet || value is NSOrderedSet
        case .fetched: true
        case .objectID: value is NSManagedObjectID
        case .composite:
            CompositeValue.dictionary(value)?.allSatisfy { name, value in
                guard let element = element(named: name) else { return false }
                guard let value = Self.unwrapped(value), !(value is NSNull) else { return true }
                return element.accepts(value)
            } ?? false
        default: attribute?.attributeType.accepts(value) ?? false
        }
    }

    /// Sets the cell to nil.
    package func clear(_ cells: Cells) {
        switch kind.family {
        case .scalar, .reference: cells.setEmpty(cell)
        case .string: cells.string(cell).pointee = nil
        case .object: cells.object(cell).pointee = nil
        case .composite: for element in elements { element.clear(cells) }
        case .none: break
        }
    }

    /// The value of an object in a cell of a transformable attribute, or of one without a type. Bytes are decoded,
    /// which may call the program: it may do anything to the cells.
    private func value(_ object: AnyObject) -> Any? {
        if let stored = object as? StoredTransformable { return TransformableCoding.decode(stored, slot: self) }
        return (object as? Box<Any>)?.value ?? object
    }

    /// The value of an object in a cell of any object family.
    package func objectValue(_ object: AnyObject) -> Any? {
        switch kind {
        case .data: (object as? Box<Data>)?.value
        case .uuid: (object as? Box<UUID>)?.value
        case .uri: (object as? Box<URL>)?.value
        case .transformable, .undefined: value(object)
        default: object
        }
    }

    /// Whether two objects of cells are equal values. Calls the program for transformable values.
    package func areEqual(_ first: AnyObject?, _ second: AnyObject?) -> Bool {
        if first === second { return true }
        guard let first, let second else { return false }
        if let first = first as? StoredTransformable, let second = second as? StoredTransformable,
            first.data == second.data
        {
            return true
        }
        if kind == .transformable {
            if let known = (first as? TransformableBox)?.savedForm, known.committed === second { return known.isEqual }
            if let known = (second as? TransformableBox)?.savedForm, known.committed === first { return known.isEqual }
        }
        return ValueEquality.areEqual(objectValue(first), objectValue(second))
    }

    /// Whether two cells have equal values. A transformable value may be decoded, which calls the program: no cell is
    /// read after that.
    package func isEqual(_ left: Cells, _ right: Cells) -> Bool {
        switch kind.family {
        case .scalar:
            if left.isPresent(cell) != right.isPresent(cell) { return false }
            if kind == .double || kind == .float || kind == .date { return left.double(cell) == right.double(cell) }
            return left.integer(cell) == right.integer(cell)
        case .reference:
            // A row may have only the root entity of the destination, so the keys are compared.
            return left.isPresent(cell) == right.isPresent(cell) && left.integer(cell) == right.integer(cell)
        case .string:
            return left.string(cell).pointee.map(ExactText.init) == right.string(cell).pointee.map(ExactText.init)
        case .object:
            return areEqual(left.object(cell).pointee, right.object(cell).pointee)
        case .composite:
            var objects: [(slot: PropertySlot, first: AnyObject?, second: AnyObject?)] = []
            for leaf in leaves {
                if leaf.kind.family == .object {
                    objects.append((leaf, left.object(leaf.cell).pointee, right.object(leaf.cell).pointee))
                } else if !leaf.isEqual(left, right) {
                    return false
                }
            }
            return objects.allSatisfy { $0.slot.areEqual($0.first, $0.second) }
        case .none:
            return true
        }
    }

    /// Copies one value between initialized cells.
    package func copy(from source: Cells, to target: Cells) {
        switch kind.family {
        case .scalar:
            if source.isPresent(cell) { target.setBits(source.bits(cell), at: cell) } else { target.setEmpty(cell) }
        case .reference:
            guard source.isPresent(cell) else { return target.setEmpty(cell) }
            target.setReference(source.integer(cell), layout: source.referenceLayout(cell), at: cell)
        case .string: target.string(cell).pointee = source.string(cell).pointee
        case .object: target.object(cell).pointee = source.object(cell).pointee
        case .composite: for element in elements { element.copy(from: source, to: target) }
        case .none: break
        }
    }

    package func isNil(_ cells: Cells) -> Bool {
        switch kind.family {
        case .scalar, .reference: !cells.isPresent(cell)
        case .string: cells.string(cell).pointee == nil
        case .object: cells.object(cell).pointee == nil
        case .composite: elements.allSatisfy { $0.isNil(cells) }
        case .none: false
        }
    }

    /// The value inside an optional in an `Any`. `NSNull` is a value, as on Apple's platforms.
    package static func unwrapped(_ value: Any) -> Any? {
        if let optional = value as? any OptionalValue { return optional.wrappedAny }
        return value
    }

    func refuse(_ value: Any, _ entity: String, _ desired: String) -> Never {
        programmingError(
            """
            Unacceptable type of value for attribute: entity = \"\(entity)\"; property = \"\(keyPath)\"; desired \
            type = \(desired); given type = \(type(of: value)).
            """,
            remedy: "Give \(Wording.withArticle(desired)) or nil.")
    }
}

private protocol OptionalValue { var wrappedAny: Any? { get } }

extension Optional: OptionalValue {
    fileprivate var wrappedAny: Any? {
        switch self {
        case .none: nil
        case .some(let wrapped): (wrapped as? any OptionalValue).map(\.wrappedAny) ?? wrapped
        }
    }
}

/// Equality of two values of cells.
package enum ValueEquality {
    package static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if let left = left as? String, let right = right as? String { return ExactText(left) == ExactText(right) }
        // Foundation on Linux compares them as objects byte by byte, which takes 0.1 µs each.
        if type(of: left) == Data.self, type(of: right) == Data.self { return left as? Data == right as? Data }
        if let left = left as? AnyHashable, let right = right as? AnyHashable, left == right {
            return haveEqualTexts(left.base, right.base)
        }
        if let left = left as? NSObject, let right = right as? NSObject {
            return left.isEqual(right) && haveEqualTexts(left, right)
        }
        return false
    }

    /// Whether the texts in two equal collections are the same, too. On Linux, `isEqual(_:)` of Foundation's classes
    /// doesn't tell a character in its composed form from the decomposed one.
    private static func haveEqualTexts(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (let left as String, let right as String): return ExactText(left) == ExactText(right)
        case (let left as NSAttributedString, let right as NSAttributedString):
            return ExactText(left.string) == ExactText(right.string)
        case (let left as NSArray, let right as NSArray):
            return zip(left, right).allSatisfy { haveEqualTexts($0, $1) }
        case (let left as NSOrderedSet, let right as NSOrderedSet):
            return zip(left, right).allSatisfy { haveEqualTexts($0, $1) }
        case (let left as NSSet, let right as NSSet): return texts(in: left) == texts(in: right)
        case (let left as NSDictionary, let right as NSDictionary):
            return texts(in: left.allKeys) == texts(in: right.allKeys)
                && left.allSatisfy { key, value in
                    right.object(forKey: key).map { haveEqualTexts(value, $0) } ?? false
                }
        default: return true
        }
    }

    private static func texts(in collection: some Sequence) -> Set<ExactText> {
        Set(collection.lazy.compactMap { ($0 as? String).map(ExactText.init) })
    }
}
