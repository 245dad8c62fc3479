import CoreData

/// Values that tests can be parameterized by.
enum ValidationValue: Sendable {
    case number(Int64)
    case real(Double)
    case float(Float)
    case decimal(String)
    case text(String)
    case date(Double)

    var object: Any {
        switch self {
        case .number(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        case .decimal(let text): NSDecimalNumber(string: text)
        case .text(let text): text
        case .date(let interval): Date(timeIntervalSinceReferenceDate: interval)
        }
    }
}
