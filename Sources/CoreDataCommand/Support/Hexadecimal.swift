import OpenCoreData

/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
    static func text(of data: Data) -> String {
        let digits = Array("0123456789abcdef")
        return String(data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
