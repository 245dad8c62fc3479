// SPDX-License-Identifier: Apache-2.0

#if Server
    import Tracing

    /// The spans of requests and saves. They have names and counts, never values, statements or addresses.
    struct RequestSpans: Sendable {
        private let tracer: (any Tracer)?

        init(_ tracer: (any Tracer)?) { self.tracer = tracer }

        func start(_ event: StoreEvent) -> any Span {
            let tracer = tracer ?? InstrumentationSystem.tracer
            let span = tracer.startAnySpan(
                "coredata.\(event.kind.rawValue)", context: ServiceContext.current ?? .topLevel, ofKind: .client)
            span.attributes["coredata.entities"] = event.entities.joined(separator: ",")
            span.attributes["coredata.store_types"] = event.storeTypes.joined(separator: ",")
            if event.kind == .save {
                span.attributes["coredata.inserted"] = event.inserted
                span.attributes["coredata.updated"] = event.updated
                span.attributes["coredata.deleted"] = event.deleted
            }
            return span
        }

        func end(_ span: any Span, _ end: StoreEvent.End) {
            switch end {
            case .done(let count): span.attributes["coredata.results"] = count
            case .conflict: span.attributes["coredata.conflict"] = true
            case .failed(let error):
                // The text of an error may have values or the address of a server.
                let error = error as NSError
                span.attributes["error.type"] = "\(error.domain) \(error.code)"
                span.setStatus(SpanStatus(code: .error))
            }
            span.end()
        }
    }
#endif
