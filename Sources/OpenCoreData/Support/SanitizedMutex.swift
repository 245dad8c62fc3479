// SPDX-License-Identifier: Apache-2.0

#if COREDATA_SANITIZED
    /// As in `CoreDataStores`: the compiler finds a name of the module itself before the same name of the standard
    /// library.
    typealias Mutex<Value: ~Copyable> = Locked<Value>
#endif
