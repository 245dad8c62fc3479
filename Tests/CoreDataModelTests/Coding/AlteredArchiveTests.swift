import CoreDataPredicates
import TestSupport
import Testing

@testable import CoreDataModel

/// Archives with each value replaced, removed and doubled. The archive itself remains a property list.
@Suite("Altered archives of models and requests")
struct AlteredArchiveTests {
    private static let values: [PropertyListValue] = [
        .null, .boolean(true), .integer(0), .integer(-1), .integer(.max), .unsignedInteger(.max), .real(.nan),
        .real(1e300),
        .date(.infinity), .string(""), .string("$null"), .string("NSArray"), .string("NSEntityDescription"),
        .string("a.b"), .data(Data()), .data(Data([1])), .uid(0), .uid(1), .uid(3), .uid(10), .uid(1_000_000),
        .array([]),
        .array([.uid(1)]), .dictionary([:]), .dictionary(["$class": .uid(1)]),
    ]

    private typealias Report = (@escaping () -> PropertyListValue) -> Void

    /// Reports alterations of a value, each as the value that takes its place.
    private static func walk(_ value: PropertyListValue, depth: Int, _ report: Report) {
        if depth > 0 {
            for other in values { report { other } }
        }
        switch value {
        case .dictionary(let dictionary):
            for (key, child) in dictionary.entries {
                walk(child, depth: depth + 1) { changed in
                    report {
                        var result = dictionary
                        result[key] = changed()
                        return .dictionary(result)
                    }
                }
                report {
                    var result = dictionary
                    result[key] = nil
                    return .dictionary(result)
                }
            }
        case .array(let array):
            for (index, child) in array.enumerated() {
                func replaced(_ by: [PropertyListValue]) -> PropertyListValue {
                    .array(Array(array[..<index]) + by + Array(array[(index + 1)...]))
                }
                walk(child, depth: depth + 1) { changed in report { replaced([changed()]) } }
                report { replaced([]) }
                report { replaced([child, child]) }
            }
        default: break
        }
    }

    /// Uses each alteration of an archive.
    ///
    /// - Returns: how many were refused, and how many accepted.
    private func count(_ archive: Data, _ use: (Data) throws -> Void) throws -> (refused: Int, accepted: Int) {
        var alterations: [() -> PropertyListValue] = []
        Self.walk(try PropertyListReader.read(archive), depth: 0) { alterations.append($0) }
        // Each run takes others.
        let seed = TestRun.seed(for: "AlteredArchiveTests")
        let step = max(1, alterations.count / TestRun.quick(120, long: 4000))
        var (refused, accepted) = (0, 0)
        for index in stride(from: Int(seed % UInt64(step)), to: alterations.count, by: step) {
            do {
                try use(BinaryPropertyListWriter.write(alterations[index]()))
                accepted += 1
            } catch {
                refused += 1
                expectEqual((error as NSError).domain, NSCocoaErrorDomain, "seed \(seed), \(index): \(error)")
            }
        }
        return (refused, accepted)
    }

    @Test("An altered archive of a model is an error of Cocoa's, or has a model that can be used")
    func models() throws {
        let archive = try ModelArchive.encode(LibraryModel.make(), as: .coded)
        let (refused, accepted) = try count(archive) { data in
            let model = try ModelArchive.decode(data)
            let hashes = model.entityVersionHashesByName
            for entity in model.entities {
                _ = (entity.propertiesByName, entity.superentity, entity.indexes, entity.uniquenessConstraints)
                for property in entity.properties { _ = "\(property)" }
            }
            for request in model.fetchRequestTemplatesByName.values { _ = request.predicate?.predicateText }
            model.freeze()
            expectEqual(model.entityVersionHashesByName, hashes)
        }
        #expect(min(refused, accepted) > 2)
    }

    @Test("An altered archive of a fetch request is an error of Cocoa's, or has a request")
    func requests() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.predicate = NSPredicate(
            format:
                "title BEGINSWITH[cd] 'a' AND (pages IN {1, 2.5} OR SUBQUERY(chapters, $c, $c.pages > 3).@count > 0)")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(format: "sum:(pages)")
        sum.expressionResultType = .integer64AttributeType
        request.propertiesToFetch = ["title", sum]
        request.propertiesToGroupBy = ["title"]
        request.havingPredicate = NSPredicate(format: "sum > 1")
        request.fetchLimit = 3
        request.relationshipKeyPathsForPrefetching = ["chapters.pages"]
        request.resultType = .dictionaryResultType
        let archive = try FetchRequestCoding.archive(request.fetchDescription)
        let (refused, accepted) = try count(archive) { data in
            let description = try FetchRequestCoding.unarchive(data)
            _ = (description.predicate?.predicateText, description.havingPredicate?.predicateText)
            _ = (description.entityName, "\(description)")
            _ = try FetchRequestCoding.archive(description)
        }
        #expect(min(refused, accepted) > 2)
    }
}
