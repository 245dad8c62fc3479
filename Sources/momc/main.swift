import CoreDataModel

exit(ModelCompilerTool.run(Array(CommandLine.arguments.dropFirst())))
