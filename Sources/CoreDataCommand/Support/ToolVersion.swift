/// The version of the package.
enum ToolVersion {
    static let number = "0.1.0"
    static let text = "coredata \(number) (OpenCoreData)"
}
