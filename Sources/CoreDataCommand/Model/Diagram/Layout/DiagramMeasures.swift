/// The measures of a diagram, in pixels.
///
/// Everything vertical stands on a grid of rows; columns with odd numbers are half a row lower. So no two lines
/// that enter a channel from its two sides are at the same height, and lines never run upon each other.
enum DiagramMeasures {
    static let row = 20.0
    static let titleSize = 13.0
    static let textSize = 12.0
    /// Between the edge of a box and its text.
    static let inset = 10.0
    /// Between a name and its type.
    static let nameGap = 22.0
    /// How far a box reaches beyond its first and last row.
    static let boxPadding = 4.0
    static let boxGap = 2 * row
    static let lineGap = row
    /// Between two vertical lines.
    static let track = 9.0
    /// Between a box and the first vertical line: room for a crow's foot.
    static let channelMargin = 30.0
    static let outerMargin = 24.0

    static func offset(ofColumn column: Int) -> Double { column % 2 == 0 ? 0 : row / 2 }
}
