import CoreDataPredicates
import OpenCoreData

/// Makes random predicates on artists, as text with arguments.
struct PredicateSource {
    let library: Library
    var random: SeededGenerator

    struct Text {
        var format: String
        var arguments: [Any] = []

        static func + (one: Text, two: Text) -> Text {
            Text(format: one.format + two.format, arguments: one.arguments + two.arguments)
        }
    }

    private enum Kind: CaseIterable { case number, string, date, uuid, uri, data, object }

    mutating func predicate(depth: Int = 3) -> Text {
        if depth > 0, random.chance(1, of: 2) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: return joined(" AND ", depth)
            case 2, 3: return joined(" OR ", depth)
            default: return Text(format: "NOT (") + predicate(depth: depth - 1) + Text(format: ")")
            }
        }
        return random.chance(1, of: 3) ? collection() : comparison(depth)
    }

    private mutating func joined(_ word: String, _ depth: Int) -> Text {
        Text(format: "(") + predicate(depth: depth - 1) + Text(format: ")\(word)(") + predicate(depth: depth - 1)
            + Text(format: ")")
    }

    // MARK: Comparisons of single values

    private mutating func comparison(_ depth: Int) -> Text {
        let kind = Kind.allCases.randomElement(using: &random)!
        let left = single(kind)
        if random.chance(1, of: 8) { return left + Text(format: " IN ") + list(kind) }
        if random.chance(1, of: 10), kind == .number || kind == .date || kind == .string {
            return left + Text(format: " BETWEEN {") + constant(kind) + Text(format: ", ") + constant(kind)
                + Text(format: "}")
        }
        let right =
            random.chance(1, of: 3) ? single(kind) : random.chance(1, of: 8) ? Text(format: "nil") : constant(kind)
        return left + Text(format: " \(symbol(kind)) ") + right
    }

    private mutating func symbol(_ kind: Kind) -> String {
        let order = ["==", "!=", "<", "<=", ">", ">="]
        switch kind {
        case .string:
            let options = ["", "", "[c]", "[d]", "[cd]", "[n]"].randomElement(using: &random)!
            let name = (order + ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"]).randomElement(using: &random)!
            return name + options
        case .object: return ["==", "!="].randomElement(using: &random)!
        default: return order.randomElement(using: &random)!
        }
    }

    private mutating func single(_ kind: Kind) -> Text {
        let choices: [String]
        switch kind {
        case .number:
            choices = [
                "age", "score", "isActive", "price", "idol.age", "idol.score", "songs.@count", "idol.songs.@count",
                "friends.@count", "favourites.@count", "tracks.@count", "songs.@sum.rating", "songs.@avg.seconds",
                "songs.@max.rating", "fans.@min.age", "(age + 1)", "(age * 2 - idol.age)", "(score / 2)", "(age / 3)",
                "(10 / age)", "(1 / score)", "(age %% 3)", "abs(age)", "(age & 3)", "(age | 4)", "(age ^ 5)",
                "length(name)",
                "name.length", "SUBQUERY(songs, $s, $s.rating > 2).@count", "founded", "idol.idol.age",
                "SUBQUERY(songs, $s, $s.rating > age OR ANY $s.tags.name == \"a\").@count",
                "SUBQUERY(friends, $f, SUBQUERY($f.songs, $s, $s.title == $f.name).@count == 0).@count",
                "SUBQUERY(songs, $s, $s.artist == SELF).@max.seconds", "TERNARY(isActive == 1, age, 7)",
                "count:(songs)",
                "max:(songs.rating)", "sum:(songs.rating)", "count:(songs.rating)", "idol.self.age",
                "sqrt(age)", "sqrt(score)", "ln(score)", "log(age)", "exp(score)", "floor(score)", "ceiling(price)",
                "trunc(score / 3)",
                "abs(score)", "(age ** 2)", "(score ** 0.5)", "modulus:by:(score, 2)", "modulus:by:(age, idol.age)",
                // Doubles have these quotients and products of decimals exactly. SQLite computes with doubles.
                "(price * score)", "(price / 0.5)",
                "(price / (age & 1))", "(score - idol.score)", "CAST(born, \"NSNumber\")", "CAST(name, \"NSNumber\")",
                "CAST(price, \"NSDecimalNumber\")", "(born - idol.born)", "name.intValue", "name.doubleValue",
                "CAST(age, \"NSString\").length",
                "median:(songs.rating)", "stddev:(songs.rating)", "median:(tracks.seconds)", "average:(songs.seconds)",
                "sum:(tracks.rating)", "count:(tracks.rating)", "count:(tracks.title)",
                "sum:(songs.@unionOfObjects.rating)",
                "count:(songs.@unionOfObjects.title)", "count:(songs.@distinctUnionOfObjects.title)",
                "count:(songs.@distinctUnionOfSets.tags)", "count:(songs.@unionOfArrays.tags)",
                "sum:(songs.@unionOfObjects.artist.age)",
                "songs.tags.@count", "fans.songs.@count", "fans.idol.@count", "tracks.artist.@count",
                "friends.idol.@sum.age",
                "friends.idol.@avg.age", "fans.idol.@max.score", "tracks.artist.@sum.age", "songs.title.@count",
                "songs.rating.@max",
                "songs.rating.@sum", "tracks.title.@count", "friends.idol.fans.@count", "tracks.artist.fans.@count",
                "songs.@max.tags.@count", "songs.@sum.tags.@count", "friends.@max.songs.@count", "fans.@avg.idol.age",
                "tracks[0].rating", "tracks[LAST].rating", "tracks[FIRST].seconds", "tracks[1].artist.age",
                "tracks[SIZE]", "songs[SIZE]",
                "tracks.rating[0]", "SUBQUERY(tracks, $t, $t.rating > 1)[0].seconds", "idol.tracks[0].rating",
                "tracks[0].tags.@count",
                "SUBQUERY(songs.tags, $t, $t.name == \"a\" OR $t.songs.@count > 2).@count",
                "SUBQUERY(songs.tags, $t, ANY $t.songs.rating > age).@count",
                "SUBQUERY(friends.idol, $i, $i.age > 1).@count",
                "SUBQUERY(tracks.artist, $a, $a.age == nil).@sum.score",
                "SUBQUERY(friends.songs, $s, $s.rating > 1).@sum.rating",
                "SUBQUERY(SUBQUERY(friends, $f, $f.age > 0).songs, $s, $s.rating > 1).@count",
                "SUBQUERY(songs, $s, $s.rating > 0).artist.@count",
                "SUBQUERY(songs, $s, SUBQUERY($s.tags, $t, $t.name != nil).@count > 1).@count",
                "count:(SUBQUERY(songs, $s, $s.rating > 0).title)", "(born + 5 - idol.born)",
            ]
        case .string:
            choices = [
                "name", "idol.name", "lowercase(name)", "uppercase(idol.name)", "songs.@min.title", "canonical(name)",
                "tracks[0].title", "tracks[LAST].title", "tracks[0].tags[0].name", "CAST(age, \"NSString\")",
                "CAST(score, \"NSString\")",
                "CAST(price, \"NSString\")", "CAST(ident, \"NSString\")", "CAST(link, \"NSString\")",
                "name.capitalizedString",
                "idol.name.lowercaseString", "uppercase(name).lowercaseString", "CAST(born, \"NSString\")",
            ]
        case .date:
            choices = [
                "born", "idol.born", "fans.@max.born", "(born + 86400)", "(born - age)", "(3600 + idol.born)",
                "CAST(age, \"NSDate\")",
                "CAST(name, \"NSDate\")", "noindex(born)", "CAST(CAST(born, \"NSNumber\") + 1, \"NSDate\")",
            ]
        case .uuid: choices = ["ident", "idol.ident", "CAST(name, \"NSUUID\")"]
        case .uri: choices = ["link", "idol.link", "CAST(link, \"NSURL\")"]
        case .data: choices = ["photo", "idol.photo"]
        case .object:
            choices = [
                "idol", "SELF", "idol.idol", "objectID", "idol.objectID", "self", "tracks[0].artist",
                "tracks[LAST].artist.idol",
            ]
        }
        return Text(format: choices.randomElement(using: &random)!)
    }

    private mutating func constant(_ kind: Kind) -> Text {
        // Sometimes a value of another kind, which equals none.
        if random.chance(1, of: 20) { return constant(Kind.allCases.randomElement(using: &random)!) }
        let value: Any
        switch kind {
        case .number:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: value = NSNumber(value: LibraryValues.reals.randomElement(using: &random)!)
            case 1: value = NSDecimalNumber(decimal: Decimal(LibraryValues.reals.randomElement(using: &random)!))
            case 2: value = NSNumber(value: Bool.random(using: &random))
            default: value = NSNumber(value: LibraryValues.numbers.randomElement(using: &random)!)
            }
        case .string:
            let string = LibraryValues.strings.randomElement(using: &random)!
            value = random.chance(1, of: 3) ? String(string.prefix(2)) : string
        case .date: value = LibraryValues.dates.randomElement(using: &random)!
        case .uuid: value = LibraryValues.identifiers.randomElement(using: &random)!
        case .uri: value = LibraryValues.links.randomElement(using: &random)!
        case .data: value = LibraryValues.blobs.randomElement(using: &random)!
        case .object:
            value = (library.artists + library.songs.prefix(5)).randomElement(using: &random)!
        }
        return Text(format: "%@", arguments: [value])
    }

    private mutating func list(_ kind: Kind) -> Text {
        var result = Text(format: "{")
        for index in 0..<Int.random(in: 0...4, using: &random) {
            result = result + Text(format: index > 0 ? ", " : "") + constant(kind)
        }
        return result + Text(format: "}")
    }

    // MARK: Collections

    private mutating func collection() -> Text {
        let kind: Kind = [.number, .string, .object, .object, .date].randomElement(using: &random)!
        let path = Text(format: many(kind))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return single(kind) + Text(format: " IN ") + path
        case 1: return path + Text(format: " CONTAINS ") + constant(kind)
        case 3: return single(kind) + Text(format: " IN (\(path.format) \(setOperator()) \(many(kind)))")
        case 4:
            return modifier() + Text(format: "(\(path.format) \(setOperator()) ") + list(kind)
                + Text(format: ") \(symbol(kind)) ") + constant(kind)
        case 5: return modifier() + path + Text(format: " IN \(many(kind))")
        case 2: return modifier() + path + Text(format: " IN ") + list(kind)
        default:
            return modifier() + path + Text(format: " \(symbol(kind)) ")
                + (random.chance(1, of: 4) ? single(kind) : constant(kind))
        }
    }

    private mutating func modifier() -> Text {
        Text(format: ["ANY ", "ALL ", "NONE ", "SOME "].randomElement(using: &random)!)
    }

    private mutating func setOperator() -> String { ["UNION", "INTERSECT", "MINUS"].randomElement(using: &random)! }

    private mutating func many(_ kind: Kind) -> String {
        let choices: [String]
        switch kind {
        case .number:
            choices = [
                "songs.rating", "fans.age", "friends.score", "favourites.rating", "tracks.seconds", "idol.songs.rating",
                "friends.idol.age",
                "fans.fans.age", "songs.tags.songs.rating", "friends.idol.songs.rating", "idol.idol.fans.age",
                "songs.@unionOfObjects.rating", "songs.@distinctUnionOfObjects.rating",
                "tracks.@unionOfObjects.artist.age",
                "SUBQUERY(friends.songs, $s, $s.rating > 0).rating",
                "SUBQUERY(tracks, $s, $s.rating > 0).@unionOfObjects.seconds",
            ]
        case .string:
            choices = [
                "songs.title", "friends.name", "tracks.title", "idol.favourites.title", "songs.artist.name",
                "songs.tags.name", "fans.songs.title",
                "favourites.tags.name", "favourites.artist.fans.name",
                "songs.@distinctUnionOfObjects.title", "songs.@unionOfObjects.artist.name",
                "SUBQUERY(songs.tags, $t, $t.name != nil).name",
            ]
        case .date:
            choices = ["fans.born", "friends.born", "fans.idol.born"]
        default:
            choices = [
                "songs", "friends", "fans", "favourites", "tracks", "songs.artist", "friends.idol", "idol.fans",
                "songs.tags",
                "songs.tags.songs.artist", "friends.idol.fans", "favourites.artist.fans.idol",
                "songs.@unionOfObjects.artist", "friends.@distinctUnionOfSets.songs",
                "SUBQUERY(songs.tags, $t, $t.name != nil)",
                "SUBQUERY(friends.idol, $t, $t.name != nil)",
            ]
        }
        return choices.randomElement(using: &random)!
    }
}
