import Foundation

/// A colour, which the model stores by a transformer.
@objc(Colour)
public class Colour: NSObject, NSSecureCoding {
    public static let supportsSecureCoding = true
    public let red: Double, green: Double, blue: Double

    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public required init?(coder: NSCoder) {
        red = coder.decodeDouble(forKey: "red")
        green = coder.decodeDouble(forKey: "green")
        blue = coder.decodeDouble(forKey: "blue")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(red, forKey: "red")
        coder.encode(green, forKey: "green")
        coder.encode(blue, forKey: "blue")
    }
}

@objc(ColourTransformer)
final class ColourTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: String(describing: ColourTransformer.self))

    override static var allowedTopLevelClasses: [AnyClass] { [Colour.self] }

    static func register() {
        ValueTransformer.setValueTransformer(ColourTransformer(), forName: name)
    }
}

/// Stores keywords as text, one in a line.
@objc(KeywordsTransformer)
final class KeywordsTransformer: ValueTransformer {
    static let name = NSValueTransformerName("KeywordsTransformer")

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let keywords = value as? [String] else { return nil }
        return keywords.joined(separator: "\n").data(using: .utf8)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").map(String.init)
    }
}
