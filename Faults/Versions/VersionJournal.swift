import OpenCoreData

/// The steps and the answers of one process of several that work at the same time.
struct VersionJournal {
    let settings: VersionSettings
    /// The steps without an answer, in order.
    private(set) var steps: ArraySlice<VersionStep>
    /// The entries of the process that the store must have.
    private(set) var contents = VersionContents()
    private(set) var answers = 0
    /// How many steps have succeeded, or thrown an error of a code.
    private(set) var outcomes: [String: Int] = [:]
    /// The increments of the counter.
    private(set) var counts = 0
    /// The increments of the counter whose outcome is unknown.
    private(set) var unknownCounts = 0
    /// Whether the process may have migrated the store to the first version.
    private(set) var mayHaveGoneBack = false
    /// The step that the process was killed in, until a fetch has shown its outcome.
    private var unknown: VersionStep?
    /// The authors of the transactions of this process.
    private var history: [String] = []
    private var unknownAuthors: Set<String> = []

    init(_ settings: VersionSettings, steps: [VersionStep]) {
        self.settings = settings
        self.steps = steps[...]
    }

    /// Reads the answers of the process until it ends.
    mutating func read(_ process: VersionProcess) throws {
        while let answer = try process.answer() {
            guard let step = steps.popFirst() else { throw FaultError("there are more answers than steps") }
            do {
                try check(step, answer)
            } catch {
                throw FaultError("process \(settings.number), version \(settings.version), \(step): \(error)")
            }
            answers += 1
            outcomes[answer.failure.map { "threw \($0.code)" } ?? "succeeded", default: 0] += 1
        }
    }

    /// The process was killed. It may have been in the first step without an answer.
    mutating func endEarly() {
        guard let step = steps.popFirst() else { return }
        noteMigration(step)
        if step.kind == .count { unknownCounts += 1 }
        unknownAuthors.insert("\(settings.number).\(step.number)")
        unknown = step
    }

    /// Has a new process tell the outcome of the step in which the former one was killed.
    mutating func findOutcome(_ process: VersionProcess) throws {
        let fetch = VersionStep(0, .fetch, owner: settings.number, opening: .migratesBack)
        // Others may migrate the store between the opening and the fetch.
        for _ in 0..<100 where unknown != nil { try check(fetch, try process.perform(fetch)) }
        try expect(unknown == nil, "the process \(settings.number) couldn't use the store again")
    }

    private mutating func noteMigration(_ step: VersionStep) {
        if settings.version == 1, step.kind == .migrate || step.opening != .plain { mayHaveGoneBack = true }
    }

    private mutating func check(_ step: VersionStep, _ answer: VersionAnswer) throws {
        noteMigration(step)
        if let failure = answer.failure {
            try expect(
                answer.isKnownFailure || step.kind == .count && answer.isConflict, "the step throws: \(failure)")
            return
        }
        switch step.kind {
        case .fetch: try compare(answer.contents ?? VersionContents(), mayLackDrafts: true)
        case .history: try check(answer.history ?? [])
        case .count: counts += 1
        default:
            _ = contents.apply(step, version: settings.version)
        }
        if answer.isChange { history.append("\(settings.number).\(step.number)") }
    }

    /// Checks that the transactions of the process are the newest ones that it has made, without a gap.
    private func check(_ found: [String]) throws {
        // The objects that all share were made before the first step.
        let others = unknownAuthors.union(["\(settings.number).0"])
        let own = found.filter { $0.hasPrefix("\(settings.number).") && !others.contains($0) }
        let expected = history.filter { !unknownAuthors.contains($0) }
        try expect(own == Array(expected.suffix(own.count)), "the history has \(own) of \(expected)")
    }

    /// Compares the entries of the process with the entries in the store.
    ///
    /// - Parameter mayLackDrafts: whether another process may have migrated the store to the first version, which has
    ///   no drafts.
    mutating func compare(_ found: VersionContents, mayLackDrafts: Bool) throws {
        if mayLackDrafts { contents.forgetDrafts(missingIn: found) }
        if let step = unknown {
            unknown = nil
            var after = contents
            _ = after.apply(step, version: settings.version)
            if mayLackDrafts { after.forgetDrafts(missingIn: found) }
            if matches(after, found) { contents = after }
        }
        try expect(
            matches(contents, found),
            "after \(answers) steps of process \(settings.number): "
                + comparable(contents, found).differences(to: found.common))
    }

    private func matches(_ contents: VersionContents, _ found: VersionContents) -> Bool {
        comparable(contents, found) == found.common
    }

    /// All processes share the counter and one tag.
    private func comparable(_ contents: VersionContents, _ found: VersionContents) -> VersionContents {
        var result = contents.common
        result.counter = found.counter
        if found.tags.contains(VersionStep.sharedTag) { result.tags.insert(VersionStep.sharedTag) }
        return result
    }
}
