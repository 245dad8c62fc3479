// SPDX-License-Identifier: Apache-2.0

extension ValueTransformer {
    private static let registered = Locked<[NSValueTransformerName: ValueTransformer]>([:])

    /// Registers a transformer under a name, or removes the registered one. May be called on any thread.
    ///
    /// - Parameters:
    ///   - transformer: the transformer; nil removes the registered transformer.
    ///   - name: the name that models use.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        registered.withLock { $0[name] = transformer }
    }

    /// The names of the registered and the built-in transformers, sorted.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        let names = registered.withLock { Set($0.keys) }.union(builtIn.keys)
        return names.sorted { $0.rawValue < $1.rawValue }
    }

    /// The transformer of a name, nil if there is none.
    package class func transformer(forName name: NSValueTransformerName) -> ValueTransformer? {
        if let known = registered.withLock({ $0[name] }) { return known }
        return builtIn[name]
    }

    // The built-in transformers have no state.
    private nonisolated(unsafe) static let builtIn: [NSValueTransformerName: ValueTransformer] = [
        .negateBooleanTransformerName: NegateBooleanTransformer(),
        .isNilTransformerName: IsNilTransformer(),
        .isNotNilTransformerName: IsNotNilTransformer(),
        .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
    ]
}

/// Lets `init(forName:)` return the registered instance.
extension ValueTransformer: FactoryInitializable {
    /// Returns the transformer that is registered under a name; nil if there is none.
    ///
    /// - Parameter name: the name.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.transformer(forName: name) else { return nil }
        self.init(factory: { found })
    }
}

/// Negates a Boolean; nil is false.
final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !(Numbers.number(value)?.boolValue ?? false))
    }
}

/// True for nil.
final class IsNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: Values.unwrap(value) == nil)
    }
}

/// True for anything but nil.
final class IsNotNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: Values.unwrap(value) != nil)
    }
}
