/// The text of `--help`.
enum Help {
    static let version = "0.1.0"

    static let text = """
        Compiles Core Data models, as Xcode does.

        momc [options] SOURCE DESTINATION
            Compiles a source model: .xcdatamodeld to a folder .momd, .xcdatamodel or .coredata to a file .mom;
            a mapping model: .xcmappingmodel to a file .cdm.
            Where DESTINATION is a folder of another kind, the result is put into it under the source's name.
            A result that is there already, byte for byte, is left alone.

            --shipped FILE.momd      warns of versions that differ from those in this compiled bundle
            --no-warnings            no warnings at all
            --no-inverse-warnings    none of relationships without inverse
            --no-delete-rule-warnings
                                     none of delete rules (No Action, circles of Cascade)
            --no-max-property-count-warnings
                                     none of entities with very many properties

        momc --generate [options] SOURCE FOLDER       (also: --action generate)
            Writes the classes of the entities whose code generation is 'Class Definition' or 'Category/Extension'.

            --style portable         @NSManaged, as Xcode writes it (the default)
            --style self-contained   accessors with bodies, for programs that use this package without its plugin
            --access public|package|internal
            --module NAME            the classes' module; classes that the model puts into another one are left out
            --include-manual         also the classes of entities with manual code generation
            --swift-version VERSION  5 or later: the generated files are the same for all

        momc --decompile [--force] SOURCE DESTINATION
            Gives the source of a compiled model: .mom to .xcdatamodel, .momd to .xcdatamodeld with all versions.
            What a source can't hold is told. A destination that is there already is replaced with --force only.

        Messages are printed as PATH:LINE: warning: TEXT. The exit code is 0, or 1 after an error; nothing is written then.

            --help                   this text
            --version                the version of the tool
        """
}
