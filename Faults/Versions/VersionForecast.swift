import OpenCoreData

/// The contents of a store, and the outcome of the next step, if the processes take turns.
struct VersionForecast {
    /// Nil without a store.
    private var version: Int?
    /// The versions that the store had before, oldest first.
    private var former: [Int] = []
    private let isNamed: Bool
    private(set) var contents = VersionContents()
    /// The authors of the transactions.
    private var history: [String] = []
    private var migrations = 0
    /// The number of migrations when each process has opened the store.
    private var openings: [Int: Int] = [:]

    init(isNamed: Bool) { self.isNamed = isNamed }

    /// Checks an answer, and makes the changes of the step.
    mutating func check(_ step: VersionStep, _ answer: VersionAnswer, _ settings: VersionSettings) throws {
        let process = settings.number
        let failure = answer.failure.map { "\($0)" } ?? "success"
        if step.kind == .close {
            try expect(answer.failure == nil, "closing throws: \(failure)")
            openings[process] = nil
            return
        }
        if step.kind == .migrate {
            openings[process] = nil
            try expect(
                (answer.failure == nil) == (version != nil), "the migration of version \(version ?? 0): \(failure)")
            if answer.failure == nil { migrate(to: settings.version, isExplicit: true) }
            return
        }
        if let opened = openings[process], opened != migrations {
            // A store that was migrated there and back may be the same, or have other numbers and keys.
            if answer.failure != nil {
                try expect(answer.isKnownFailure, "a step of a store that was migrated: \(failure)")
                openings[process] = nil
                return
            }
            try expect(version == settings.version, "a step succeeds on a store of version \(version ?? 0)")
            openings[process] = migrations
        } else if openings[process] == nil {
            guard try opens(step, answer, settings.version) else { return }
            openings[process] = migrations
        }
        if step.kind == .count, !step.resets, answer.isConflict { return }
        try expect(answer.failure == nil, "the step throws: \(failure)")
        try apply(step, answer, settings)
    }

    /// A process has ended, and so closed the store.
    mutating func end(_ process: Int) { openings[process] = nil }

    /// - Returns: whether the step opens the store.
    private mutating func opens(_ step: VersionStep, _ answer: VersionAnswer, _ target: Int) throws -> Bool {
        let failure = answer.failure.map { "\($0)" } ?? "success"
        guard let version else {
            try expect(answer.failure == nil, "the store isn't made: \(failure)")
            self.version = target
            return true
        }
        if version == target {
            try expect(answer.isOpen, "the store isn't opened: \(failure)")
            return true
        }
        if step.opening == .plain || step.opening == .migrates && former.contains(target) {
            try expect(
                !answer.isOpen && answer.hasOtherModel,
                "version \(target) opens a store of version \(version), which was of \(former) before: \(failure)")
            return false
        }
        try expect(answer.isOpen, "the store isn't migrated from version \(version) to \(target): \(failure)")
        migrate(to: target, isExplicit: false)
        return true
    }

    private mutating func migrate(to target: Int, isExplicit: Bool) {
        guard let version, version != target else { return }
        if let position = former.firstIndex(of: target) {
            former.removeSubrange(position...)
        } else if isNamed || isExplicit {
            former.append(version)
        }
        contents.migrate(to: target)
        history = []
        migrations += 1
        self.version = target
    }

    private mutating func apply(_ step: VersionStep, _ answer: VersionAnswer, _ settings: VersionSettings) throws {
        switch step.kind {
        case .fetch:
            let differences = contents.differences(to: answer.contents ?? VersionContents())
            try expect(differences.isEmpty, differences)
        case .history:
            try expect(
                answer.history == history, "the history has \(answer.history ?? []) instead of \(history)")
        case .purge: history.removeFirst(history.count / 2)
        default:
            let isChange = contents.apply(step, version: settings.version)
            try expect(answer.isChange == isChange, "the step writes \(answer.isChange ? "something" : "nothing")")
            if isChange { history.append("\(settings.number).\(step.number)") }
        }
    }

    /// The contents that the newest version must find at the end.
    func final() -> VersionContents {
        var result = contents
        if version == 1 { result.migrate(to: 2) }
        return result
    }
}
