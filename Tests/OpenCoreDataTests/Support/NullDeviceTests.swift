import CoreDataStores
import Testing

@Suite("Paths of the device that keeps nothing")
struct NullDeviceTests {
    @Test(
        "the device and names below it are in memory",
        arguments: ["/dev/null", "/dev/null/a.sqlite", "/dev/null/a/b"])
    func inMemory(_ path: String) { expectTrue(OperatingSystem.isNullDevice(path)) }

    @Test(
        "other paths are not",
        arguments: ["", "/dev", "/dev/nullified", "/dev/null/../x.sqlite", "/tmp/dev/null", "dev/null", "/dev/null2/a"])
    func elsewhere(_ path: String) { expectFalse(OperatingSystem.isNullDevice(path)) }
}
