import OpenCoreData
import Synchronization

/// Stops the program when nothing has been noted for a minute, after it has printed the stacks of all threads: a
/// deadlock is to be seen, not waited for.
final class Watchdog: Sendable {
    private let notes = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    func note() { notes.wrappingAdd(1, ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func start() { look(seen: -1) }

    private func look(seen: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [self] in
            if isStopped.load(ordering: .relaxed) { return }
            let now = notes.load(ordering: .relaxed)
            guard now == seen else { return look(seen: now) }
            Self.printStacks()
            fatalError("Nothing has happened for a minute, after \(now) steps: a deadlock.")
        }
    }

    /// Lets each thread print its stack to standard error, one after another.
    private static func printStacks() {
        signal(SIGUSR2) { _ in
            var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: 128)
            let count = stackAddresses(&addresses, 128)
            printSymbols(addresses, count, 2)
        }
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.compactMap({
            Int32($0)
        }) ?? [] {
            FileHandle.standardError.write(Data("Thread \(thread):\n".utf8))
            _ = signalThread(getpid(), thread, SIGUSR2)
            usleep(100_000)
        }
    }
}

// Functions of the C library whose headers Swift doesn't import.
@_silgen_name("backtrace") private func stackAddresses(
    _ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int32
) -> Int32
@_silgen_name("backtrace_symbols_fd") private func printSymbols(
    _ addresses: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32, _ file: Int32)
@_silgen_name("tgkill") private func signalThread(_ process: Int32, _ thread: Int32, _ signal: Int32) -> Int32
