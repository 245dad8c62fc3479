extension FunctionLibrary {
    /// Functions of geographic coordinates.
    static let coordinates: [String: LibraryFunction] = [
        "distanceToLocation:fromLocation:": LibraryFunction(argumentCount: 2) { arguments in
            guard let one = Coordinates(arguments[0]), let two = Coordinates(arguments[1]) else { return nil }
            return NSNumber(value: one.distance(to: two))
        }
    ]
}

/// Geographic coordinates. There is no Core Location here: any
/// value with the keys `latitude` and `longitude`, in degrees, has them.
private struct Coordinates {
    let latitude: Double
    let longitude: Double

    init?(_ value: Any?) {
        guard let value = Values.unwrap(value),
            let latitude = Numbers.number(KeyPathWalk.value(of: value, key: "latitude")),
            let longitude = Numbers.number(KeyPathWalk.value(of: value, key: "longitude"))
        else { return nil }
        self.latitude = latitude.doubleValue * .pi / 180
        self.longitude = longitude.doubleValue * .pi / 180
    }

    /// Metres along the great circle of a sphere of the earth's mean radius.
    func distance(to other: Coordinates) -> Double {
        let alongLatitude = sin((other.latitude - latitude) / 2)
        let alongLongitude = sin((other.longitude - longitude) / 2)
        let chord =
            alongLatitude * alongLatitude + cos(latitude) * cos(other.latitude) * alongLongitude * alongLongitude
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
