// The only module that re-exports Foundation: see ARCHITECTURE.md, "Language first".
@_exported import Foundation
