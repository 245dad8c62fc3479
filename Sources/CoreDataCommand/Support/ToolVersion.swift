// SPDX-License-Identifier: Apache-2.0

/// The version of the package.
enum ToolVersion {
    static let number = "0.3.0"
    static let text = "coredata \(number) (OpenCoreData)"
}
