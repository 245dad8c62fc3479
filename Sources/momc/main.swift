// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

exit(ModelCompilerTool.run(Array(CommandLine.arguments.dropFirst())))
