extension ValueTransformer {
    private static let registered = Locked<[NSValueTransformerName: ValueTransformer]>([:])

    /// Registers a transformer under a name, or takes the registered one away.
    ///
    /// - Parameters:
    ///   - transformer: the transformer; nil takes the name's transformer away.
    ///   - name: the name that models use.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        registered.withLock { $0[name] = transformer }
    }

    /// The names of the registered transformers and of Foundation's own, sorted.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        let names = registered.withLock { Set($0.keys) }.union(builtIn.keys)
        return names.sorted { $0.rawValue < $1.rawValue }
    }

    /// The transformer of a name, nil if there is none.
    package class func transformer(forName name: NSValueTransformerName) -> ValueTransformer? {
        if let known = registered.withLock({ $0[name] }) { return known }
        return builtIn[name]
    }

    private static let builtIn: [NSValueTransformerName: ValueTransformer] = [
        .negateBooleanTransformerName: NegateBooleanTransformer(),
        .isNilTransformerName: IsNilTransformer(),
        .isNotNilTransformerName: IsNotNilTransformer(),
        .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
    ]
}

/// A class of ours whose convenience initialisers may give another instance.
extension ValueTransformer: FactoryInitializable {
    /// Finds the transformer registered under a name, nil if there is none.
    ///
    /// - Parameter name: the name.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.transformer(forName: name) else { return nil }
        self.init(made: { found })
    }
}
