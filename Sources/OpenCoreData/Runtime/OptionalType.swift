// SPDX-License-Identifier: Apache-2.0

/// An optional type, for types that are known at run time.
protocol OptionalType { static var wrappedType: Any.Type { get } }
extension Optional: OptionalType { static var wrappedType: Any.Type { Wrapped.self } }
