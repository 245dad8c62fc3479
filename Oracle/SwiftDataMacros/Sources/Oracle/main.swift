import Foundation

// Usage: Oracle PLUGIN INPUTS. Expands each declaration of the sources in the folder by the plugin and by
// swift-syntax, and compares both.
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("Usage: Oracle PLUGIN INPUTS")
    exit(2)
}
let folder = URL(fileURLWithPath: arguments[2])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
let plugin = try PluginClient(path: arguments[1])
var (declarations, expansions) = (0, 0)
var differences: [String] = []
for file in files {
    let comparison = Comparison(plugin: plugin, path: file.lastPathComponent)
    comparison.compare(try String(contentsOf: file, encoding: .utf8))
    declarations += comparison.declarations
    expansions += comparison.expansions
    differences += comparison.differences
}
plugin.stop()
for difference in differences { print(difference) }
print("\(declarations) declarations, \(expansions) expansions, \(differences.count) differences")
exit(differences.isEmpty && declarations >= 150 ? 0 : 1)
