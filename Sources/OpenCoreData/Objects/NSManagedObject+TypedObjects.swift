/// **Extension.** Typed access to attributes whose values are objects in their cells.
extension NSManagedObject {
    @inline(__always)
    private final func boxed<Value>(_ property: ManagedProperty<Value?>, _ kinds: StorageKinds) -> Value? {
        readable()
        return (cells.object(property.cell(of: self, accepting: kinds)).pointee as? Box<Value>)?.value
    }

    @inline(__always)
    private final func setBoxed<Value>(_ value: Value?, _ property: ManagedProperty<Value?>, _ kinds: StorageKinds) {
        writable()
        cells.object(property.cell(of: self, accepting: kinds)).pointee = value.map { Box($0) }
    }

    /// The value of a binary attribute.
    public final subscript(property: ManagedProperty<Data?>) -> Data? {
        get { boxed(property, .data) }
        set { setBoxed(newValue, property, .data) }
    }

    /// The value of a UUID attribute.
    public final subscript(property: ManagedProperty<UUID?>) -> UUID? {
        get { boxed(property, .uuid) }
        set { setBoxed(newValue, property, .uuid) }
    }

    /// The value of a URI attribute.
    public final subscript(property: ManagedProperty<URL?>) -> URL? {
        get { boxed(property, .uri) }
        set { setBoxed(newValue, property, .uri) }
    }

    /// The value of a decimal attribute.
    public final subscript(property: ManagedProperty<Decimal?>) -> Decimal? {
        get {
            readable()
            return (cells.object(property.cell(of: self, accepting: .decimal)).pointee as? NSDecimalNumber)?.decimalValue
        }
        set {
            writable()
            cells.object(property.cell(of: self, accepting: .decimal)).pointee = newValue.map { NSDecimalNumber(decimal: $0) }
        }
    }
}
