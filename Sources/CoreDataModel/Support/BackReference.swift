// SPDX-License-Identifier: Apache-2.0

/// A reference to an owner, which clears it in its `deinit`.
///
/// It replaces `weak` references to entities. A weak reference would give the entity a side table, which makes every
/// retain slower, and contexts retain the entity for each object. Threads share only frozen models, which stay alive
/// while they are shared. A mutable model belongs to one thread.
final class BackReference<Target: AnyObject>: @unchecked Sendable {
    unowned(unsafe) var target: Target?

    init() {}
}
