extension FunctionLibrary {
    /// Functions on the bits of 64-bit integers.
    static let bits: [String: LibraryFunction] = [
        "bitwiseAnd:with:": numbers { NSNumber(value: $0.int64Value & $1.int64Value) },
        "bitwiseOr:with:": numbers { NSNumber(value: $0.int64Value | $1.int64Value) },
        "bitwiseXor:with:": numbers { NSNumber(value: $0.int64Value ^ $1.int64Value) },
        "leftshift:by:": numbers { NSNumber(value: $0.int64Value << $1.int64Value) },
        "rightshift:by:": numbers { NSNumber(value: $0.int64Value >> $1.int64Value) },
        "onesComplement:": number { NSNumber(value: ~$0.int64Value) },
    ]
}
