// `CVarArg` is adopted on Linux by numbers and strings only. Values for `%@` arrive in `[any CVarArg]` and are cast
// back; no C argument list is involved.

extension NSObject: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Date: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSDate)._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSUUID)._cVarArgEncoding }
}

extension URL: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSURL)._cVarArgEncoding }
}

extension Data: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSData)._cVarArgEncoding }
}

extension Decimal: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSDecimalNumber)._cVarArgEncoding }
}

extension Array: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSArray)._cVarArgEncoding }
}

extension Set: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSSet)._cVarArgEncoding }
}

extension Dictionary: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSDictionary)._cVarArgEncoding }
}
