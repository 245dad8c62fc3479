import CoreData

/// The properties of the entity, as Apple's programming guide has accessors written by hand.
extension TypedRecord {
    var value0: Int64 {
        get { integer(forKey: "value0") }
        set { setInteger(newValue, forKey: "value0") }
    }

    var value1: Int64 {
        get { integer(forKey: "value1") }
        set { setInteger(newValue, forKey: "value1") }
    }

    var value2: Int64 {
        get { integer(forKey: "value2") }
        set { setInteger(newValue, forKey: "value2") }
    }

    var value3: Int64 {
        get { integer(forKey: "value3") }
        set { setInteger(newValue, forKey: "value3") }
    }

    var value4: Int64 {
        get { integer(forKey: "value4") }
        set { setInteger(newValue, forKey: "value4") }
    }

    var value5: Int64 {
        get { integer(forKey: "value5") }
        set { setInteger(newValue, forKey: "value5") }
    }

    var value6: Int64 {
        get { integer(forKey: "value6") }
        set { setInteger(newValue, forKey: "value6") }
    }

    var value7: Int64 {
        get { integer(forKey: "value7") }
        set { setInteger(newValue, forKey: "value7") }
    }

    var value8: Int64 {
        get { integer(forKey: "value8") }
        set { setInteger(newValue, forKey: "value8") }
    }

    var value9: Int64 {
        get { integer(forKey: "value9") }
        set { setInteger(newValue, forKey: "value9") }
    }

    private func integer(forKey key: String) -> Int64 {
        willAccessValue(forKey: key)
        defer { didAccessValue(forKey: key) }
        return (primitiveValue(forKey: key) as? NSNumber)?.int64Value ?? 0
    }

    private func setInteger(_ value: Int64, forKey key: String) {
        willChangeValue(forKey: key)
        setPrimitiveValue(value, forKey: key)
        didChangeValue(forKey: key)
    }
}
