// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Runs the code of a model actor on a queue of its own.
///
/// The saves of other contexts are merged before each job. With `autosaveEnabled`, changes are saved after it.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    // Sendable: the context is used in the jobs of the queue alone, after the initializer of the actor.
    /// The context of the actor.
    public final let modelContext: ModelContext

    private let queue = DispatchQueue(label: "SwiftData.ModelActor")

    /// Makes an executor.
    ///
    /// - Parameter modelContext: the context of the actor, which nothing else uses.
    public init(modelContext: ModelContext) { self.modelContext = modelContext }

    /// Runs a job of the actor after those before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { self.run(job) }
    }

    private func run(_ job: UnownedJob) {
        modelContext.managed.mergeCollectedSaves()
        job.runSynchronously(on: asUnownedSerialExecutor())
        guard modelContext.autosaveEnabled, modelContext.hasChanges else { return }
        do {
            try modelContext.save()
        } catch {
            CoreDataLog.error("The context of a model actor can't save by itself: \(error.localizedDescription)")
        }
    }

    /// The executor as a reference that isn't counted.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
