// SPDX-License-Identifier: Apache-2.0

import ServeCommand

@main
struct Main {
    static func main() async { await Serve.main() }
}
