// SPDX-License-Identifier: Apache-2.0

/// The plan by which the values of dictionaries are read from the rows of one statement. Made once for a statement.
package struct ValuePlan {
    /// Reads one value, or the elements of a composite attribute.
    package struct Step {
        package let column: Int32
        /// For objects: the column of the actual entity's number, -1 if the entity is known.
        let entityColumn: Int32
        package let kind: SQLStorageKind
        /// The type that the stored value has.
        let natural: ProjectedType
        /// The type that the dictionary's value has.
        package let type: ProjectedType
        /// Whether the stored value needs no conversion.
        let isExact: Bool
        /// The elements of a composite attribute, in the order of its leaves.
        var elements: [Step] = []
    }

    let steps: [Step]
    private let mapping: LayoutMapping
    private let identity: StoreIdentity

    package init(
        _ columns: [ProjectedColumn], _ results: [SQLResultColumn], mapping: LayoutMapping, identity: StoreIdentity
    ) {
        self.mapping = mapping
        self.identity = identity
        steps = zip(columns, results).map(Step.init)
    }

    /// The dictionary of a composite attribute, nil if no element has a value.
    ///
    /// - Parameter value: reads an element.
    func composite(_ step: Step, _ value: (Step) throws -> Any?) throws -> [String: Any]? {
        guard let slot = step.natural.slot else { return nil }
        var remaining = step.elements[...]
        func elements(of slot: PropertySlot) throws -> [String: Any]? {
            var values: [String: Any] = [:]
            for element in slot.elements {
                if element.kind == .composite {
                    values[element.name] = try elements(of: element)
                } else if let step = remaining.popFirst() {
                    values[element.name] = try value(step)
                }
            }
            return values.isEmpty ? nil : values
        }
        return try elements(of: slot)
    }

    /// The ID of an object by its key.
    ///
    /// - Parameter number: the number of the actual entity, nil if the entity is known.
    func object(_ step: Step, key: Int64, entity number: Int64?) -> NSManagedObjectID? {
        // Only a damaged store has negative keys, and numbers of other entities.
        guard case .object(let declared) = step.natural, key >= 0 else { return nil }
        let actual = number.map { mapping.layout(entity: $0, of: declared) } ?? declared
        return NSManagedObjectID(layout: actual, store: identity, key: key)
    }
}

extension ValuePlan.Step {
    fileprivate init(_ column: ProjectedColumn, _ result: SQLResultColumn) {
        let isStored = result.kind != .undefined && column.natural.slot != nil
        self.column = Int32(result.position)
        entityColumn = Int32(result.entityPosition ?? -1)
        kind = result.kind
        natural = column.natural
        type = column.type
        isExact =
            (isStored || result.kind == .relationshipKey) && column.type.attributeType == column.natural.attributeType
        let leaves = column.natural.slot?.leaves ?? []
        elements = zip(leaves, result.elementKinds).enumerated().map { offset, element in
            let (leaf, kind) = element
            let type = ProjectedType.value(leaf.attribute?.attributeType ?? .undefinedAttributeType, leaf)
            return ValuePlan.Step(
                column: Int32(result.position + offset), entityColumn: -1, kind: kind, natural: type, type: type,
                isExact: true)
        }
    }
}
