// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime
import Synchronization

/// Whether the current thread tracks reads: it runs in `withObservationTracking(_:onChange:)`.
///
/// Swift's observation tells a registrar only. A registrar for each model that is read would cost 136 bytes. So the
/// thread-local variable of the library is read, in which Swift keeps the list of reads. A self-check at first use
/// finds it. With a toolchain that keeps it elsewhere, each read asks a registrar.
@usableFromInline
enum ObservationTracking {
    @usableFromInline
    static var isActive: Bool {
        #if os(Linux) && canImport(Glibc)
            let distance = distance.load(ordering: .relaxed)
            // Variables of this size stand at multiples of eight.
            guard distance & 7 == 0 else { return isActiveElsewhere }
            return opencoredata_word_from_thread_pointer(distance) != 0
        #else
            return true
        #endif
    }

    #if os(Linux) && canImport(Glibc)
        /// The distance of the variable from the thread pointer; 1 before the first search, and if the distance isn't
        /// the same in all threads. Initialized when the program is compiled, which a location isn't.
        private static let distance = Atomic<Int>(1)

        private struct Location {
            let module: UInt
            let offset: UInt?
        }

        @inline(never)
        private static var isActiveElsewhere: Bool {
            guard let offset = location.offset else { return true }
            return opencoredata_tls_word(location.module, offset) != 0
        }

        private static let location: Location = {
            let module = opencoredata_tls_module("libswiftObservation")
            guard module != 0 else { return Location(module: 0, offset: nil) }
            let offsets = [0, 8].filter { isListOfReads(module, $0) } as [UInt]
            guard offsets.count == 1 else { return Location(module: module, offset: nil) }
            let fixed = opencoredata_fixed_tls_distance(module, offsets[0])
            if fixed != 0 { distance.store(fixed, ordering: .relaxed) }
            return Location(module: module, offset: offsets[0])
        }()

        /// Whether a word is set by a tracking, and reset after it.
        private static func isListOfReads(_ module: UInt, _ offset: UInt) -> Bool {
            let before = opencoredata_tls_word(module, offset)
            let during = withObservationTracking({ opencoredata_tls_word(module, offset) }, onChange: {})
            return during != 0 && during != before && opencoredata_tls_word(module, offset) == before
        }
    #endif
}
