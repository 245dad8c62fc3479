internal import CSwiftRuntime

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
            guard let offset = location.offset else { return true }
            return opencoredata_tls_word(location.module, offset) != 0
        #else
            return true
        #endif
    }

    #if os(Linux) && canImport(Glibc)
        private struct Location {
            let module: UInt
            let offset: UInt?
        }

        private static let location: Location = {
            let module = opencoredata_tls_module("libswiftObservation")
            guard module != 0 else { return Location(module: 0, offset: nil) }
            let offsets = [0, 8].filter { isListOfReads(module, $0) } as [UInt]
            return Location(module: module, offset: offsets.count == 1 ? offsets[0] : nil)
        }()

        /// Whether a word is set by a tracking, and reset after it.
        private static func isListOfReads(_ module: UInt, _ offset: UInt) -> Bool {
            let before = opencoredata_tls_word(module, offset)
            let during = withObservationTracking({ opencoredata_tls_word(module, offset) }, onChange: {})
            return during != 0 && during != before && opencoredata_tls_word(module, offset) == before
        }
    #endif
}
