// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of output that is no table.
enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// The format of a list that is no table: `jsonl` has a line for each member.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl
}
