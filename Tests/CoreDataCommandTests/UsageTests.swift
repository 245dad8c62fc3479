import CoreData
import Testing

@Suite("coredata: usage")
struct UsageTests {
    @Test(
        "Each command has --help",
        arguments: [
            [], ["model"], ["model", "show"], ["model", "hashes"], ["model", "diff"], ["model", "convert"],
            ["model", "lint"], ["model", "diagram"], ["model", "edit"], ["model", "new"], ["model", "add-version"],
            ["model", "set-version"], ["model", "generate"], ["store"], ["store", "info"], ["store", "fetch"],
            ["store", "doctor"], ["store", "backup"], ["store", "copy"], ["store", "import"], ["store", "history"],
            ["store", "diff"], ["store", "compact"], ["store", "browse"], ["store", "migrate"],
        ])
    func help(verb: [String]) async throws {
        let run = try await CommandRun(arguments: verb + ["--help"])
        expectEqual(run.status, 0)
        expectContains(run.output, "USAGE: \((["coredata"] + verb).joined(separator: " "))")
        expectEqual(run.errors, "")
    }

    @Test(
        "Wrong arguments exit with 64 and an error on standard error",
        arguments: [
            ["model", "show"],
            ["model", "show", ""],
            ["model", "paint", "x"],
            ["model", "show", "x", "--format", "yaml"],
            ["model", "show", "x", "--version", "a", "--versions"],
            ["model", "diff"],
            ["model", "convert", "x"],
            ["model", "convert", "x", "y.txt"],
            ["model", "diagram", "x", "--format", "gif"],
            ["model", "edit"],
            ["model", "edit", "x", "--port", "70000"],
            ["model", "new"],
            ["model", "add-version"],
            ["model", "set-version", "x"],
            ["model", "generate", "x"],
            ["model", "generate", "x", "y", "--style", "old"],
            ["store", "doctor"],
            ["store", "doctor", "x.sqlite", "--format", "xml"],
            ["store", "backup", "x.sqlite"],
            ["store", "copy", "x.sqlite"],
            ["store", "copy", "x.sqlite", "postgresql:///shop", "--type", "xml"],
            ["store", "fetch", "x.sqlite"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--limit", "0"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--limit", "many"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--offset", "-1"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--vertical", "--format", "csv"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--vertical", "--count"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--sort", "name:sideways"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--sort", "name,,"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--format", "xml"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--predicate", "name BEGINSWITH"],
            ["store", "fetch", "x.sqlite", "--entity", "E", "--predicate", "name == %@"],
        ])
    func mistakes(arguments: [String]) async throws {
        let run = try await CommandRun(arguments: arguments)
        expectEqual(run.status, 64)
        expectEqual(run.output, "")
        expectContains(run.errors, "Error: ")
    }
}
