import Testing

@testable import momc

@Test func momcWithoutArgumentsFails() { #expect(ModelCompilerTool.run([]) == 1) }
