import CoreDataModel
import Testing

@testable import momc

@Suite struct StaleModelTests {
    private static let outputs = ".build/plugins/outputs/shop/Shop/destination/CoreDataModelPlugin"
    private static let bundles = ["debug", "release"].map {
        ".build/x86_64-unknown-linux-gnu/\($0)/Shop_Shop.resources"
    }

    /// A build in which a model of each kind was compiled, and the names of their files.
    private func built() throws -> (folder: TargetFolder, files: [String]) {
        let folder = try TargetFolder(out: Self.outputs)
        let files = [Self.outputs] + Self.bundles
        for place in files {
            try folder.writeFile(place + "/Shop.momd/Shop.mom")
            try folder.writeFile(place + "/Parts.mom")
            try folder.writeFile(place + "/Old.cdm")
        }
        folder.compiledModels = ["Shop.momd", "Parts.mom", "Old.cdm"]
        return (folder, files)
    }

    @Test(arguments: ["Shop.momd", "Parts.mom", "Old.cdm"])
    func aModelThatTheTargetNoLongerHasLeavesAllBundles(name: String) throws {
        let (folder, places) = try built()
        folder.compiledModels.removeAll { $0 == name }
        try expectEqual(folder.prepare(), 0)
        for place in places {
            expectFalse(folder.exists("\(place)/\(name)"))
            for other in folder.compiledModels { expectTrue(folder.exists("\(place)/\(other)")) }
        }
    }

    @Test func aModelThatThePluginDidNotMakeStaysInTheBundle() throws {
        let (folder, _) = try built()
        try folder.writeFile(Self.bundles[0] + "/Resource.mom")
        try expectEqual(folder.prepare(), 0)
        expectTrue(folder.exists(Self.bundles[0] + "/Resource.mom"))
    }

    @Test func theBundleOfAnotherTargetStaysAsItIs() throws {
        let (folder, _) = try built()
        let other = ".build/x86_64-unknown-linux-gnu/debug/Shop_Other.resources/Shop.momd"
        try folder.writeFile(other + "/Shop.mom")
        folder.compiledModels = []
        try expectEqual(folder.prepare(), 0)
        expectTrue(folder.exists(other))
    }

    @Test func afterAnErrorAllModelsStay() throws {
        let (folder, places) = try built()
        folder.compiledModels = []
        try folder.write("import CoreData\n@objc(Car) class Car: NSManagedObject {}\n", to: "Car.swift")
        try expectEqual(folder.prepare(), 1)
        expectTrue(folder.exists(places[0] + "/Shop.momd"))
    }

    @Test func aFolderOutsideOfABuildHasNoBundles() throws {
        let folder = try TargetFolder()
        try folder.writeFile("out/Shop.mom")
        try expectEqual(folder.prepare(), 0)
        expectFalse(folder.exists("out/Shop.mom"))
    }
}
