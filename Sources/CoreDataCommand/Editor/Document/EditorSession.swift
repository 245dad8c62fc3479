// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The model that is edited, its versions, and the steps of undo. All windows share one session.
// Unchecked: the lock guards all properties that change.
final class EditorSession: @unchecked Sendable {
    /// The versions at one time. The type is a value, so that an undo step is an old state.
    struct State {
        var names: [String]
        var current: String
        /// The versions that differ from what was read when the state was made, by name.
        var changed: [String: SourceTreeDocument] = [:]
        /// Tells states apart.
        var number = 0
    }

    /// A step that can be undone or redone.
    struct Step {
        let label: String
        let state: State
    }

    /// The parts that changed with a revision.
    private struct Change {
        let revision: Int
        let version: String
        let touched: Set<String>
    }

    let files: EditorFiles
    let store: StoreLocation?
    /// The boxes of the diagram that was shown last.
    let boxes = DiagramBoxes()
    private let lock = NSLock()
    /// The versions as their files have them.
    private var loaded: [String: EditorFiles.Version] = [:]
    /// The versions as they were read first. A state that has not changed a version refers to them.
    private var originals: [String: SourceTreeDocument] = [:]
    private var state: State
    private var saved: State
    private var undoSteps: [Step] = []
    private var redoSteps: [Step] = []
    private var changes: [Change] = []
    private var revision = 1
    private var lastNumber = 0
    /// Why the files on the disk differ from what was read; nil if they don't.
    private var outside: String?
    /// How the versions on the disk differ from the versions that were read: the reason why they can't be listed, or an
    /// empty text for other versions; nil if they are the same.
    private var noticedProblem: String?
    /// The problem that a person accepted by keeping the model of the editor.
    private var acceptedProblem: String?
    /// The models of trees, by version and number of the state.
    private var models: [String: (number: Int, model: EditedModel)] = [:]
    private var layouts: [String: EditorLayout] = [:]
    /// The result of the last trial of each version, by version and number of the state.
    private var trials: [String: (number: Int, html: HTML)] = [:]

    /// How many steps can be undone.
    private static let stepLimit = 1_000

    /// Opens a model. Its current version is read at once, so that an error appears early.
    init(_ files: EditorFiles, store: StoreLocation? = nil) throws {
        self.files = files
        self.store = store
        let (names, current) = try files.versions()
        state = State(names: names, current: current)
        saved = state
        loaded[current] = try files.read(current)
        originals[current] = loaded[current]?.document
    }

    // MARK: Reading

    /// The model at one time, for a page.
    ///
    /// - Parameter isChecked: whether the model is read and checked, which takes longer in a large model. Otherwise the
    ///   snapshot may have the findings of an earlier state.
    func snapshot(of version: String?, isChecked: Bool) throws -> EditorSnapshot {
        if isChecked { try check(version) }
        return try lock.withLock { try makeSnapshot(version) }
    }

    private func name(of wanted: String?) -> String {
        wanted.flatMap { state.names.contains($0) ? $0 : nil } ?? state.current
    }

    private func makeSnapshot(_ wanted: String?) throws -> EditorSnapshot {
        let version = name(of: wanted)
        let known = models[version]
        return EditorSnapshot(
            files: files, versions: state.names, current: state.current, version: version,
            root: try document(version).root, model: known?.model ?? .unread,
            isChecked: known?.number == state.number, revision: revision, isChanged: state.number != saved.number,
            number: state.number,
            undoLabel: undoSteps.last?.label, redoLabel: redoSteps.last?.label, outside: outside, store: store)
    }

    /// Reads and checks the model of a version, unless that was done. Edits don't wait for it.
    private func check(_ wanted: String?) throws {
        let (version, root, number) = try lock.withLock {
            let version = name(of: wanted)
            return (version, try document(version).root, state.number)
        }
        if lock.withLock({ models[version]?.number == number }) { return }
        let model = EditedModel(root, isText: files.isText)
        lock.withLock {
            if models[version].map({ $0.number < number || $0.number > state.number }) ?? true {
                models[version] = (number, model)
            }
        }
    }

    /// Where the boxes of a snapshot are.
    func layout(of snapshot: EditorSnapshot) -> EditorLayout {
        let before = lock.withLock { layouts[snapshot.version] }
        let layout = EditorLayout(snapshot, before: before)
        lock.withLock { layouts[snapshot.version] = layout }
        return layout
    }

    /// The result of the trial of a snapshot; empty if the model has changed since, or wasn't tried.
    func trial(of snapshot: EditorSnapshot) -> HTML {
        lock.withLock { trials[snapshot.version].flatMap { $0.number == snapshot.number ? $0.html : nil } ?? "" }
    }

    func keepTrial(_ html: HTML, of snapshot: EditorSnapshot) {
        lock.withLock { trials[snapshot.version] = (snapshot.number, html) }
    }

    /// The tree of a version in the present state.
    private func document(_ version: String) throws -> SourceTreeDocument {
        if let document = state.changed[version] ?? originals[version] { return document }
        let read = try files.read(version)
        loaded[version] = read
        originals[version] = read.document
        return read.document
    }

    /// The model of another version, for a comparison; nil if it has errors.
    func model(ofVersion version: String) throws -> NSManagedObjectModel? {
        guard lock.withLock({ state.names.contains(version) }) else {
            throw WebFault(404, "There is no version ‘\(version)’.")
        }
        return try snapshot(of: version, isChecked: true).model.model
    }

    // MARK: Changing

    /// Does what a page asks for.
    ///
    /// - Parameters:
    ///   - seen: the revision that the page shows.
    ///   - wanted: the version that it shows; nil for the current one.
    /// - Returns: what a page says and selects afterwards.
    /// - Throws: `WebFault` and `ModelEditError`; nothing has changed then.
    func perform(_ command: EditorCommand, seen: Int, version wanted: String?) throws -> ModelEditOutcome {
        try lock.withLock {
            let version = wanted ?? state.current
            guard state.names.contains(version) else { throw WebFault(404, "There is no version ‘\(version)’.") }
            if let edit = try command.edit { return try apply(edit, to: version, seen: seen) }
            switch command.kind {
            case .undo: return try move(from: \.undoSteps, to: \.redoSteps, "undo")
            case .redo: return try move(from: \.redoSteps, to: \.undoSteps, "redo")
            case .save: return try save()
            case .reload: return try reload()
            case .keep: return try keep()
            case .addVersion: return try addVersion(command.name ?? "", basedOn: version)
            default: return try setCurrent(command.name ?? "")
            }
        }
    }

    private func apply(_ edit: ModelEdit, to version: String, seen: Int) throws -> ModelEditOutcome {
        var document = try document(version)
        let (root, outcome) = try ModelEditing.apply(edit, to: document.root, sortsElements: !files.isText)
        try checkIsCurrent(outcome.touched, version, seen)
        guard root != document.root else { return outcome }
        document.root = root
        var next = state
        next.changed[version] = document
        advance(to: next, outcome.label, version, outcome.touched)
        return outcome
    }

    /// Refuses an edit of an element that another window has changed since the page was shown.
    private func checkIsCurrent(_ touched: Set<String>, _ version: String, _ seen: Int) throws {
        guard seen < revision else { return }
        for change in changes where change.revision > seen && change.version == version {
            let isSame =
                touched.contains("*") || change.touched.contains("*")
                || touched.contains { one in
                    change.touched.contains { one == $0 || one.hasPrefix("\($0)/") || $0.hasPrefix("\(one)/") }
                }
            if isSame {
                throw WebFault(
                    409,
                    "Another window has changed the same part. The page shows the newer state: try again.")
            }
        }
        guard seen > 0, changes.first.map({ $0.revision <= seen + 1 }) ?? true else {
            throw WebFault(409, "The page is too old. It shows the newer state now: try again.")
        }
    }

    private func advance(to next: State, _ label: String, _ version: String, _ touched: Set<String>) {
        undoSteps.append(Step(label: label, state: state))
        if undoSteps.count > Self.stepLimit { undoSteps.removeFirst() }
        redoSteps = []
        state = next
        lastNumber += 1
        state.number = lastNumber
        record(version, touched)
    }

    private func record(_ version: String, _ touched: Set<String>) {
        revision += 1
        changes.append(Change(revision: revision, version: version, touched: touched))
        if changes.count > Self.stepLimit { changes.removeFirst() }
    }

    private func move(
        from source: ReferenceWritableKeyPath<EditorSession, [Step]>,
        to destination: ReferenceWritableKeyPath<EditorSession, [Step]>, _ word: String
    ) throws -> ModelEditOutcome {
        guard let step = self[keyPath: source].popLast() else {
            throw WebFault(409, "There is nothing to \(word).")
        }
        self[keyPath: destination].append(Step(label: step.label, state: state))
        state = step.state
        for name in state.names { record(name, ["*"]) }
        return ModelEditOutcome()
    }

    // MARK: Versions

    private func addVersion(_ given: String, basedOn version: String) throws -> ModelEditOutcome {
        guard files.kind == .bundle else {
            throw WebFault(422, "Only a bundle (.xcdatamodeld) has versions. Convert the model to one first.")
        }
        let name: String
        do {
            name = try VersionName.checked(given, among: state.names, of: files)
        } catch let error as CommandError { throw WebFault(422, error.localizedDescription) }
        var next = state
        next.changed[name] = try document(version)
        next.names = (next.names + [name]).sortedByVersionName(\.self)
        advance(to: next, "Add the version \(name)", name, ["*"])
        return ModelEditOutcome(
            note: "The version ‘\(name)’ is a copy of ‘\(version)’. Choose it as the current one to use it.")
    }

    private func setCurrent(_ name: String) throws -> ModelEditOutcome {
        guard state.names.contains(name) else { throw WebFault(404, "There is no version ‘\(name)’.") }
        guard files.kind == .bundle else { throw WebFault(422, "Only a bundle (.xcdatamodeld) has versions.") }
        guard name != state.current else { return ModelEditOutcome() }
        var next = state
        next.current = name
        advance(to: next, "Make \(name) the current version", name, [])
        return ModelEditOutcome()
    }

    // MARK: Files

    private func save() throws -> ModelEditOutcome {
        try lookForChanges()
        if let outside { throw WebFault(409, outside) }
        guard state.number != saved.number else { return ModelEditOutcome(note: "Saved.") }
        var data: [(String, SourceTreeDocument, Data)] = []
        for name in state.names where state.changed[name] ?? originals[name] != nil {
            let document = try document(name)
            data.append((name, document, try files.data(of: document, replacing: loaded[name])))
        }
        // A new version is complete before anything names it.
        for (name, document, bytes) in data where loaded[name]?.data != bytes || !isOnDisk(name) {
            let stamp = try files.write(bytes, name)
            loaded[name] = EditorFiles.Version(document: document, data: bytes, stamp: stamp)
        }
        if files.kind == .bundle {
            if state.current != saved.current || state.names.count > 1 && !files.namesCurrent {
                try files.writeCurrent(state.current)
            }
            for name in saved.names where !state.names.contains(name) {
                try files.remove(name)
                loaded[name] = nil
            }
        }
        saved = state
        acceptedProblem = nil
        revision += 1
        return ModelEditOutcome(note: "Saved.")
    }

    private func isOnDisk(_ version: String) -> Bool {
        FileManager.default.fileExists(atPath: files.file(of: version).path)
    }

    /// Checks whether other programs have changed the files. A model without unsaved changes is read again.
    func poll() -> (revision: Int, isChanged: Bool, outside: String?) {
        lock.withLock {
            try? lookForChanges()
            return (revision, state.number != saved.number, outside)
        }
    }

    private func lookForChanges() throws {
        guard outside == nil else { return }
        var names: [String] = []
        for (name, version) in loaded.sorted(by: { $0.key < $1.key }) {
            let file = files.file(of: name)
            guard let stamp = OperatingSystem.fileStamp(at: file.path) else {
                names.append(name)
                continue
            }
            guard stamp != version.stamp else { continue }
            if let data = try? ModelFile.contents(of: file), data == version.data {
                loaded[name]?.stamp = stamp
            } else {
                names.append(name)
            }
        }
        var problem: String?
        do {
            let (found, current) = try files.versions()
            if found != saved.names || current != saved.current { problem = "" }
        } catch {
            problem = " \(ErrorReport.text(for: error))"
        }
        if problem == acceptedProblem { problem = nil }
        guard !names.isEmpty || problem != nil else { return }
        noticedProblem = problem
        let subject = names.isEmpty ? "the versions" : names.map { "‘\($0)’" }.joined(separator: ", ")
        if state.number == saved.number {
            do {
                _ = try reload()
                return
            } catch {
                outside = """
                    Another program has changed \(subject), and the editor can't read it: \
                    \(ErrorReport.text(for: error))
                    """
            }
        } else {
            outside = "Another program has changed \(subject) since the editor read it.\(problem ?? "")"
        }
        revision += 1
    }

    /// Reads all files again. Discards unsaved changes and the undo steps.
    private func reload() throws -> ModelEditOutcome {
        let (names, current) = try files.versions()
        var read: [String: EditorFiles.Version] = [:]
        for name in loaded.keys where names.contains(name) { read[name] = try files.read(name) }
        if read[current] == nil { read[current] = try files.read(current) }
        loaded = read
        originals = read.mapValues(\.document)
        lastNumber += 1
        state = State(names: names, current: current, number: lastNumber)
        saved = state
        (undoSteps, redoSteps, outside, acceptedProblem) = ([], [], nil, nil)
        for name in names { record(name, ["*"]) }
        return ModelEditOutcome(note: "The files were read again.")
    }

    /// Keeps the model of the editor: the next save writes over the changes of other programs.
    private func keep() throws -> ModelEditOutcome {
        for name in loaded.keys {
            if let read = try? files.read(name) {
                loaded[name] = read
            } else if !isOnDisk(name) {
                // The next save makes the file again.
                loaded[name] = nil
            } else {
                loaded[name]?.stamp = OperatingSystem.fileStamp(at: files.file(of: name).path)
                loaded[name]?.data = Data()
            }
        }
        let found = try? files.versions()
        let names = found?.names ?? state.names.filter(isOnDisk)
        // Versions that another program has added stay. A version that it has removed is written again if it was read.
        let kept = state.names.filter { state.changed[$0] ?? originals[$0] != nil }
        state.names = Set(kept + names).sortedByVersionName(\.self)
        if !state.names.contains(state.current) { state.current = state.names.last ?? state.current }
        saved.names = names
        if let found { saved.current = found.current }
        lastNumber += 1
        state.number = lastNumber
        (outside, acceptedProblem) = (nil, noticedProblem)
        revision += 1
        return ModelEditOutcome(note: "Saving writes the model of this editor.")
    }

    /// Whether changes would be lost if the process ended.
    var hasUnsavedChanges: Bool { lock.withLock { state.number != saved.number } }
}
