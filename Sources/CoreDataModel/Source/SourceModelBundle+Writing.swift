extension SourceModelBundle {
    /// The file that says which version is current.
    ///
    /// - Parameter name: the version's name, without extension.
    package static func currentVersionData(_ name: String) -> Data {
        let fileName = "\(name).\(versionExtension)"
        let escaped = fileName.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>_XCCurrentVersionName</key>
            \t<string>\(escaped)</string>
            </dict>
            </plist>

            """.utf8)
    }
}
