// SPDX-License-Identifier: Apache-2.0

// The only module that re-exports Foundation. ARCHITECTURE.md, section "Modules", gives the reason.
@_exported import Foundation
