/// A value that may be missing, as a key of groups: two keys are equal if predicates take their values for equal.
package struct ValueKey: Hashable {
    private let value: Any?

    package init(_ value: Any?) { self.value = value }

    package static func == (one: ValueKey, two: ValueKey) -> Bool { Values.equal(one.value, two.value) }

    package func hash(into hasher: inout Hasher) { hasher.combine(Values.unwrap(value).map(ValueSet.bucket) ?? 0) }
}
