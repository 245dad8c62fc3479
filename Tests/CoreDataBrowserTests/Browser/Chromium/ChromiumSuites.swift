import Testing

/// The tests in a browser. They run one after the other: a browser is several processes.
@Suite("In Chromium", .serialized, .enabled(if: WebDriver.isWanted))
enum ChromiumSuites {
    @Suite("coredata store browse in Chromium")
    struct ChromiumTests {}

    @Suite("coredata model edit in Chromium")
    struct EditorChromiumTests {}
}
