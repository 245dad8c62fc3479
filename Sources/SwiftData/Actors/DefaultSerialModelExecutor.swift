// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Runs the code of a model actor on a dedicated queue.
///
/// Before each job the context merges the saves of other contexts. With `autosaveEnabled`, the executor saves changes
/// after each job.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    // Sendable: after the initializer of the actor, only the jobs of the queue use the context.
    /// The context of the actor.
    public final let modelContext: ModelContext

    private let queue = DispatchQueue(label: "SwiftData.ModelActor")

    /// Makes an executor.
    ///
    /// - Parameter modelContext: the context of the actor, which nothing else uses.
    public init(modelContext: ModelContext) { self.modelContext = modelContext }

    /// Runs a job of the actor. Jobs run in the order of the calls.
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

    /// The executor as an unowned reference.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
