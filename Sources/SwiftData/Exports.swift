// SPDX-License-Identifier: Apache-2.0

// Foundation, as Apple's module re-exports it, with the classes that Foundation lacks on Linux.
@_exported import CoreDataPredicates
@_exported import Observation
