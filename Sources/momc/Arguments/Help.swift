// SPDX-License-Identifier: Apache-2.0

/// The text of `--help`.
enum Help {
    static let version = "0.3.0"

    static let text = """
        Compiles Core Data models, as Xcode does.

        momc [options] SOURCE DESTINATION
            Compiles a source model: .xcdatamodeld to a .momd folder, .xcdatamodel or .coredata to a .mom file,
            and .xcmappingmodel to a .cdm file.
            If DESTINATION is another folder, the result is written into it with the name of the source.
            A compiled model of that name is replaced; any other file or folder is an error.
            A file that would not change is not written.

            --module NAME            the module of the program: the class '.Song' of Xcode's "Current Product Module"
                                     becomes 'NAME.Song'
            --shipped FILE.momd      warn of versions that differ from the versions in this compiled bundle
            --no-warnings            print no warnings
            --no-inverse-warnings    do not warn of relationships without inverse
            --no-delete-rule-warnings
                                     do not warn of delete rules (No Action, cycles of Cascade)
            --no-max-property-count-warnings
                                     do not warn of entities with very many properties

        momc --generate [options] SOURCE FOLDER       (also: --action generate)
            Generates the classes of entities with the code generation 'Class Definition' or 'Category/Extension'.

            --style portable         @NSManaged accessors, as in Xcode (the default)
            --style self-contained   accessors with bodies, for programs that use this package without its plugin
            --access public|package|internal
            --module NAME            the module of the classes; classes of other modules are left out
            --include-manual         also generate the classes of entities with manual code generation
            --swift-version VERSION  5 or later; the generated files are the same for all versions

        momc --decompile [--force] SOURCE DESTINATION
            Converts a compiled model to source: .mom to .xcdatamodel, .momd to .xcdatamodeld with all versions.
            Prints a warning for each detail that the source format does not have.
            Replaces an existing destination with --force only.

        Messages have the form PATH:LINE: warning: TEXT. The exit code is 0, or 1 after an error.
        After an error nothing is written.

            --help                   print this text
            --version                print the version of the tool
        """
}
