// SPDX-License-Identifier: Apache-2.0

/// The digits behind the decimal point of a number, counted from the next lower whole number: "25" for 3.25, "75" for
/// -3.25.
///
/// They come from the number's shortest decimal form, so that whole number and digits read back as the same `Double`.
struct DecimalFraction {
    let digits: String

    /// - Parameter number: a finite number that is not whole.
    init(of number: Double) {
        // The description is "3.25", "1e-05" or "1.5e-05".
        let parts = abs(number).description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        var digits = mantissa.count > 1 ? String(mantissa[1]) : ""
        if parts.count > 1, let exponent = Int(parts[1]) {
            digits = String(repeating: "0", count: max(0, -exponent - 1)) + mantissa[0] + digits
        }
        self.digits = number < 0 ? Self.complement(of: digits) : digits
    }

    /// The digits of the difference to one.
    static func complement(of digits: some StringProtocol) -> String {
        var result: [Character] = []
        var borrows = false
        for digit in digits.reversed().compactMap(\.wholeNumberValue) {
            result.append(Character("\((10 - digit - (borrows ? 1 : 0)) % 10)"))
            borrows = borrows || digit > 0
        }
        return String(result.reversed())
    }
}
