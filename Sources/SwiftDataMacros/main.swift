// SPDX-License-Identifier: Apache-2.0

import SwiftDataExpansion

// The package manager can't build the tests of a target of macros together with other tests. So the code of the plugin
// is a library.
Plugin.run()
