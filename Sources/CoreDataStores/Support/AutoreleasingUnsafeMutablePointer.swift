// SPDX-License-Identifier: Apache-2.0

/// The pointer type of `validateValue(_:forKey:)`: a plain pointer, since nothing is autoreleased here.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
