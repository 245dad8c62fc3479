// SPDX-License-Identifier: Apache-2.0

#if COREDATA_SANITIZED
    /// As in `CoreDataStores`: a name of the module itself is found before that of the standard library.
    typealias Mutex<Value: ~Copyable> = Locked<Value>
#endif
