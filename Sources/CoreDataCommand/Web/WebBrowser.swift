// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The web browser that the user prefers.
enum WebBrowser {
    #if os(macOS)
        private static let program = "open"
    #elseif os(Windows)
        private static let program = "explorer"
    #else
        private static let program = "xdg-open"
    #endif

    /// Opens an address in it, by a program of the system. The program is not waited for.
    static func open(_ address: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { process in
            guard process.terminationStatus != 0 else { return }
            StandardStreams.error("The program \(program) can't open a web browser. Open the printed URL by hand.")
        }
        do {
            try process.run()
        } catch {
            StandardStreams.error("The program \(program) can't be run. Open the printed URL by hand.")
        }
    }
}
