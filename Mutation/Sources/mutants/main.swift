import Foundation

// Usage: mutants ROOT FOLDER FIRST [--without FILE] SOURCE ...
//
// Reads the sources, whose paths are relative to ROOT, and writes each of them below FOLDER, unless that is -, with a
// switch at every place that can be mutated. Prints a row for each mutant: its number, the path, the line, the
// declaration, the change and the text that is changed. The numbers begin with FIRST. FILE has the numbers of mutants
// that the compiler refuses, one a line.
var arguments = Array(CommandLine.arguments.dropFirst())
var refused: Set<Int> = []
if let option = arguments.firstIndex(of: "--without"), option + 1 < arguments.count {
    let text = try String(contentsOfFile: arguments[option + 1], encoding: .utf8)
    refused = Set(text.split(whereSeparator: \.isNewline).compactMap { Int($0) })
    arguments.removeSubrange(option...(option + 1))
}
guard arguments.count > 3, let first = Int(arguments[2]) else {
    print("Usage: mutants ROOT FOLDER FIRST [--without FILE] SOURCE ...")
    exit(2)
}
var number = first
for path in arguments.dropFirst(3) {
    let source = try String(contentsOfFile: "\(arguments[0])/\(path)", encoding: .utf8)
    let file = MutatedFile(source, firstNumber: number, refused: refused)
    number += file.mutants.count
    for mutant in file.mutants {
        print(
            [String(mutant.number), path, String(mutant.line), mutant.declaration, mutant.change, mutant.text]
                .joined(separator: "\t"))
    }
    if arguments[1] == "-" { continue }
    let result = URL(fileURLWithPath: "\(arguments[1])/\(path)")
    try FileManager.default.createDirectory(
        at: result.deletingLastPathComponent(), withIntermediateDirectories: true)
    // The compiler doesn't compile a file again that stays as it is.
    if (try? String(contentsOf: result, encoding: .utf8)) != file.text {
        try file.text.write(to: result, atomically: true, encoding: .utf8)
    }
}
