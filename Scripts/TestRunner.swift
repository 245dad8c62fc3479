import Testing

/// The entry point of the tests in `make test`: see test.sh.
@main
struct TestRunner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
