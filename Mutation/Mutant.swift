import Foundation

// Scripts/mutate.py puts this file into the lowest module of its copy of the package. The environment variable
// COREDATA_MUTANT has the number of the active mutant. COREDATA_MUTANT_TRACE names a file with a byte for each mutant.
// A process sets those of the places that it reaches. The file is mapped, so that the bytes stay when the process
// crashes.

private let active = ProcessInfo.processInfo.environment["COREDATA_MUTANT"].flatMap { Int($0) } ?? -1

private nonisolated(unsafe) let trace: UnsafeMutableBufferPointer<UInt8>? = {
    guard let path = ProcessInfo.processInfo.environment["COREDATA_MUTANT_TRACE"] else { return nil }
    let file = open(path, O_RDWR | O_CLOEXEC)
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 0, let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
    else { fatalError("The file of COREDATA_MUTANT_TRACE can't be mapped: \(path)") }
    return UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: size)
}()

/// Whether a mutant is active.
package func mutant(_ number: Int) -> Bool {
    if let trace { trace[number] = 1 }
    return number == active
}

/// A condition with a mutant that always has one value.
package func mutated(_ number: Int, _ value: Bool, _ original: Bool) -> Bool { mutant(number) ? value : original }

/// A condition with a mutant that has the opposite value.
package func flipped(_ number: Int, _ original: Bool) -> Bool { mutant(number) != original }

/// A number with a mutant that is zero.
package func mutatedNumber<Number: FixedWidthInteger>(_ number: Int, _ original: Number) -> Number {
    mutant(number) ? 0 : original
}

/// A comparison with a mutant that has the other result for equal values.
package func mutatedComparison<Value: Comparable>(
    _ number: Int, _ left: Value, _ comparison: String, _ right: Value
) -> Bool {
    let isMutated = mutant(number)
    switch comparison {
    case "<": return isMutated ? left <= right : left < right
    case "<=": return isMutated ? left < right : left <= right
    case ">": return isMutated ? left >= right : left > right
    default: return isMutated ? left > right : left >= right
    }
}
