// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The limits of a process that serves many connections.
enum ProcessLimits {
    /// Allows as many open files as the system lets the process have: each device that listens has a connection. The
    /// usual limit is 1,024.
    static func raiseOpenFiles() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(kind, &limit)
    }

    /// Lets all threads share two arenas of the allocator. With one for each thread, as glibc has it, each keeps what
    /// large requests have left in it.
    static func shareArenas() {
        // Swift's module of glibc doesn't have malloc.h, whose M_ARENA_MAX is -8. Other C libraries have no such call.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
        _ = mallopt(-8, 2)
    }
}
