import CoreData

/// The properties of the entity through typed accessors: `ManagedProperty` knows where the value lies.
extension TypedRecord {
    private static let value0Property = ManagedProperty<Int64>("value0")
    var value0: Int64 {
        get { self[TypedRecord.value0Property] }
        set { self[TypedRecord.value0Property] = newValue }
    }

    private static let value1Property = ManagedProperty<Int64>("value1")
    var value1: Int64 {
        get { self[TypedRecord.value1Property] }
        set { self[TypedRecord.value1Property] = newValue }
    }

    private static let value2Property = ManagedProperty<Int64>("value2")
    var value2: Int64 {
        get { self[TypedRecord.value2Property] }
        set { self[TypedRecord.value2Property] = newValue }
    }

    private static let value3Property = ManagedProperty<Int64>("value3")
    var value3: Int64 {
        get { self[TypedRecord.value3Property] }
        set { self[TypedRecord.value3Property] = newValue }
    }

    private static let value4Property = ManagedProperty<Int64>("value4")
    var value4: Int64 {
        get { self[TypedRecord.value4Property] }
        set { self[TypedRecord.value4Property] = newValue }
    }

    private static let value5Property = ManagedProperty<Int64>("value5")
    var value5: Int64 {
        get { self[TypedRecord.value5Property] }
        set { self[TypedRecord.value5Property] = newValue }
    }

    private static let value6Property = ManagedProperty<Int64>("value6")
    var value6: Int64 {
        get { self[TypedRecord.value6Property] }
        set { self[TypedRecord.value6Property] = newValue }
    }

    private static let value7Property = ManagedProperty<Int64>("value7")
    var value7: Int64 {
        get { self[TypedRecord.value7Property] }
        set { self[TypedRecord.value7Property] = newValue }
    }

    private static let value8Property = ManagedProperty<Int64>("value8")
    var value8: Int64 {
        get { self[TypedRecord.value8Property] }
        set { self[TypedRecord.value8Property] = newValue }
    }

    private static let value9Property = ManagedProperty<Int64>("value9")
    var value9: Int64 {
        get { self[TypedRecord.value9Property] }
        set { self[TypedRecord.value9Property] = newValue }
    }
}
