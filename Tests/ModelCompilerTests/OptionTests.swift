import CoreDataModel
import Testing

@Suite("momc's options")
struct OptionTests {
    @Test("--help prints the usage, --version the version", arguments: ["--help", "-h", "--version"])
    func help(option: String) async throws {
        let run = try await MomcRun(option)
        expectEqual(run.status, 0)
        expectEmpty(run.errors)
        expectContains(run.output, option == "--version" ? "OpenCoreData" : "momc [options] SOURCE DESTINATION")
    }

    @Test(
        "Invalid arguments are reported",
        arguments: [
            ([], "no source and destination given"),
            (["a"], "no destination given"),
            (["a", "b", "c"], "3 paths given, instead of a source and a destination"),
            (["a", ""], "a path is empty"),
            (["--frobnicate", "a", "b"], "the option --frobnicate is unknown"),
            (["--module"], "the option --module needs a value"),
            (["--no-warnings=yes", "a", "b"], "the option --no-warnings has no value"),
            (["--action", "destroy", "a", "b"], "the action 'destroy' is unknown: compile or generate"),
            (["--generate", "--decompile", "a", "b"], "decompile and generate can't be combined"),
            (["--style", "portable", "a", "b"], "the option --style is not for compile"),
            (["--generate", "--shipped", "x", "a", "b"], "the option --shipped is not for generate"),
            (["--decompile", "--module", "x", "a", "b"], "the option --module is not for decompile"),
            (["--generate", "--style", "odd", "a", "b"], "'odd' is no value of --style: portable, self-contained"),
            (
                ["--generate", "--access=secret", "a", "b"],
                "'secret' is no value of --access: public, package, internal"
            ),
            (["--generate", "--module", "a b", "a", "b"], "'a b' is no valid module name"),
            (["--module", "a b", "a", "b"], "'a b' is no valid module name"),
            (
                ["--generate", "--swift-version", "4.2", "a", "b"],
                "classes can't be generated for Swift 4.2. Use 5 or later"
            ),
            (["--generate", "--swift-version", "new", "a", "b"], "'new' is no valid Swift version"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let run = try await MomcRun(arguments: arguments)
        expectEqual(run.status, 1)
        expectEmpty(run.output)
        expectEqual(run.errors, "momc: error: \(message). See momc --help\n")
    }

    @Test("Xcode's options for platforms are ignored with a warning, and the model is compiled")
    func platform() async throws {
        let folder = try ToolFolder()
        try folder.writeModel()
        let run = try await MomcRun(
            "--sdkroot", "/SDKs/MacOSX.sdk", "--macosx-deployment-target", "14.0", "--module", "App",
            folder.path("Music.xcdatamodel"),
            folder.path("Music.mom"))
        expectEqual(run.status, 0)
        expectEqual(
            run.messages,
            [
                "momc: warning: --sdkroot is ignored: a compiled model is the same for all platforms",
                """
                momc: warning: --macosx-deployment-target is ignored: a compiled model is the same for \
                all platforms
                """,
            ])
        expectContains(try folder.names(), "Music.mom")
    }

    @Test("Paths that begin with a dash are given after --")
    func dash() async throws {
        let run = try await MomcRun("--", "-a", "-b")
        expectEqual(run.status, 1)
        expectContains(run.errors, "-a: error: ")
    }
}
