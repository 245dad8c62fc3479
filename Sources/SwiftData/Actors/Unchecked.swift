// SPDX-License-Identifier: Apache-2.0

/// A value that crosses threads while only one of them uses it.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
