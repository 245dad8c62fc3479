// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Finds and loads the model of a container by its name.
enum ContainerModels {
    /// Loads a model; stops the program if the model is missing or damaged, or if several have the name.
    ///
    /// - Parameters:
    ///   - name: the name of the model's file without extension.
    ///   - container: the class of the container. The resource bundle of the module of a subclass is searched first.
    static func model(named name: String, for container: NSPersistentContainer.Type) -> NSManagedObjectModel {
        do {
            let found = try ModelSearch.programModel(
                named: name, module: module(of: container), modules: modulesOfProgram())
            if !found.isOfProgram {
                CoreDataLog.warning(
                    """
                    The model \(name) comes from \(found.file.path), the resources of a module that isn't known to be \
                    a part of this program. If it is the wrong one, load the model from Bundle.module and use \
                    init(name:managedObjectModel:).
                    """)
            }
            return try NSManagedObjectModel.load(contentsOf: found.file)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            programmingError(
                error.localizedDescription,
                remedy: """
                    Add the model to the target's resources, or load it from Bundle.module and use \
                    init(name:managedObjectModel:).
                    """
            )
        } catch let several as ModelSearch.SeveralModels {
            programmingError(
                "Several models are named \(name): \(several.files.map(\.path).joined(separator: ", ")).",
                remedy: """
                    Load the model from Bundle.module and use init(name:managedObjectModel:). Remove what an earlier \
                    build has left: swift package clean.
                    """
            )
        } catch {
            programmingError(
                "Failed to load the model named \(name): \(error.localizedDescription)",
                remedy: "Correct the file, or build it again.")
        }
    }

    private static func module(of container: NSPersistentContainer.Type) -> String? {
        // The classes of this module have no models.
        if container == NSPersistentContainer.self || container == NSPersistentCloudKitContainer.self { return nil }
        return _typeName(container, qualified: true).split(separator: ".").first.map(String.init)
    }

    /// The modules that declare a type, and the module of the main target. Most programs have the name of their main
    /// target.
    private static func modulesOfProgram() -> Set<String>? {
        ProgramModules.names()?.union([ModelSearch.moduleName(ofTarget: OperatingSystem.processName)])
    }
}
