// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContainer {
    /// The context of an observer: the main context on the main actor, a new context elsewhere.
    fileprivate func observingContext(_ actor: (any Actor)?) -> ModelContext {
        guard actor === MainActor.shared else { return ModelContext(self) }
        return MainActor.assumeIsolated { Unchecked(mainContext) }.value
    }
}

extension FetchDescriptor {
    fileprivate init(_ predicate: Predicate<T>?, _ sortBy: [SortDescriptor<T>]?) {
        self.init(predicate: predicate, sortBy: sortBy ?? [])
    }
}

extension ResultsObserver where SectionTitle == Never {
    /// Observes models.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, modelContainer.observingContext(isolation), isolation, sectionBy: nil, title: nil)
    }

    /// Observes models.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, isolation, sectionBy: nil, title: nil)
    }

    /// Observes models.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(filterBy, sortBy), modelContainer.observingContext(isolation), isolation, sectionBy: nil,
            title: nil)
    }

    /// Observes models.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), modelContext, isolation, sectionBy: nil, title: nil)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, modelContainer.observingContext(isolation), isolation, sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, isolation, sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, modelContainer.observingContext(isolation), isolation, sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the description of the fetch.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, isolation, sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(filterBy, sortBy), modelContainer.observingContext(isolation), isolation,
            sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), modelContext, isolation, sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContainer: the container.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(filterBy, sortBy), modelContainer.observingContext(isolation), isolation,
            sectionBy: sectionBy, title: { $0 })
    }

    /// Observes models in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition of the models; nil for all.
    ///   - sortBy: the order of the models.
    ///   - sectionBy: the property by which the models are in sections. They are sorted by it first.
    ///   - modelContext: the context, which belongs to the actor.
    ///   - isolation: the actor of the observer.
    /// - Throws: as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), modelContext, isolation, sectionBy: sectionBy, title: { $0 })
    }
}
