import Testing

@testable import momc

@Test func momcWithoutArgumentsFails() { expectEqual(ModelCompilerTool.run([]), 1) }
