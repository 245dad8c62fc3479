// SPDX-License-Identifier: Apache-2.0

extension MCPTool {
    /// The tools of `coredata mcp`.
    static let all = [
        storeInfo, storeFetch, storeExplain, storeHistory, storeDoctor, storeMigrationPlan, storeDiff, storeImport,
        modelShow, modelLint, modelDiff,
    ]

    private static let store = Parameter(
        name: "store", kind: .path, description: "The path of a store, or its postgresql:// URL.", isRequired: true)
    private static let model = Parameter(
        name: "model", kind: .path, description: "The model of the store, if the store contains none (XML, binary).",
        option: "--model")

    private static let conditions = [
        Parameter(
            name: "entity", kind: .text, description: "The entity of the objects. store_info lists them.",
            option: "--entity"),
        Parameter(
            name: "predicate", kind: .text,
            description:
                "A predicate in Core Data's format, for example: year > 1990 AND artist.name BEGINSWITH[c] \"a\"",
            option: "--predicate"),
        Parameter(name: "id", kind: .text, description: "One object, by its ID: Song/p1", option: "--id"),
        Parameter(
            name: "relatedTo", kind: .text,
            description: "The objects at the other end of a relationship of one object: Artist/p1/songs",
            option: "--related-to"),
        Parameter(
            name: "fetch", kind: .text,
            description: "Values in place of objects, separated by commas: artist.name,n=count:(SELF)",
            option: "--fetch"),
        Parameter(
            name: "groupBy", kind: .text, description: "One row for objects with equal values of these key paths.",
            option: "--group-by"),
        Parameter(
            name: "having", kind: .text, description: "A predicate for the groups, on names of fetch.",
            option: "--having"),
        Parameter(name: "distinct", kind: .flag, description: "Equal rows once.", option: "--distinct"),
        Parameter(
            name: "sort", kind: .text, description: "Key paths with an optional :desc, separated by commas.",
            option: "--sort"),
        Parameter(
            name: "offset", kind: .number(0...1_000_000_000),
            description: "How many rows are left out at the beginning.",
            option: "--offset"),
    ]

    private static let storeInfo = MCPTool(
        name: "store_info", title: "Entities and counts of a store",
        description: "The metadata of a store, and the number of objects of each of its entities. Begin with it.",
        verb: ["store", "info"], parameters: [store, model])

    private static let storeFetch = MCPTool(
        name: "store_fetch", title: "Objects or values of a store",
        description: "The objects of an entity, or values computed from them. Give a limit: large answers are cut.",
        // Values that the store has lost: the output is complete.
        verb: ["store", "fetch"], answers: [2],
        parameters: [store, model] + conditions + [
            Parameter(
                name: "limit", kind: .number(1...10_000), description: "The most rows.", isRequired: true,
                option: "--limit"),
            Parameter(name: "count", kind: .flag, description: "The number alone.", option: "--count"),
        ])

    private static let storeExplain = MCPTool(
        name: "store_explain", title: "The SQL of a fetch",
        description: "The SQL statements of a fetch, and SQLite's plan of each: which indexes it uses.",
        verb: ["store", "fetch"], constant: ["--explain", "--format", "json"],
        parameters: [store, model] + conditions + [
            Parameter(name: "limit", kind: .number(1...10_000), description: "The most rows.", option: "--limit")
        ])

    private static let storeHistory = MCPTool(
        name: "store_history", title: "The history of a store",
        description: "Transactions and their changes, of a store that records its history, the oldest first.",
        verb: ["store", "history"],
        parameters: [
            store, model,
            Parameter(
                name: "after", kind: .number(0...Int.max), description: "Transactions behind this number, a token.",
                option: "--after"),
            Parameter(
                name: "since", kind: .text, description: "Transactions since a date: 2026-11-17T08:30:00Z",
                option: "--since"),
            Parameter(name: "before", kind: .text, description: "Transactions before a date.", option: "--before"),
            Parameter(name: "author", kind: .text, description: "Transactions of an author.", option: "--author"),
            Parameter(name: "entity", kind: .text, description: "Changes of an entity alone.", option: "--entity"),
            Parameter(
                name: "summary", kind: .flag, description: "Transactions without their changes.", option: "--summary"),
            Parameter(
                name: "limit", kind: .number(1...10_000), description: "The newest transactions alone.",
                isRequired: true, option: "--limit"),
        ])

    private static let storeDoctor = MCPTool(
        name: "store_doctor", title: "An examination of a store",
        description:
            "The version of the model, whether and how the store migrates, damage, references to nothing, lost values.",
        verb: ["store", "doctor"], answers: [1],
        parameters: [
            store,
            Parameter(
                name: "model", kind: .path, description: "The model to migrate to. The default is the current version.",
                option: "--model"),
            Parameter(
                name: "models", kind: .paths, description: "Models, and folders with models and mapping models.",
                option: "--models"),
        ])

    private static let storeMigrationPlan = MCPTool(
        name: "store_migration_plan", title: "The plan of a migration",
        description:
            "How a store would be migrated to a model, step by step, and what that would delete. Migrates nothing.",
        verb: ["store", "migrate"], constant: ["--dry-run", "--format", "json"],
        parameters: [
            store,
            Parameter(
                name: "model", kind: .path, description: "The model to migrate to.", isRequired: true,
                option: "--model"),
        ])

    private static let storeDiff = MCPTool(
        name: "store_diff", title: "Differences of two stores",
        description: "Which objects are in one of two stores alone, or have other values there.",
        verb: ["store", "diff"], answers: [1],
        parameters: [
            store,
            Parameter(name: "other", kind: .path, description: "The other store.", isRequired: true),
            Parameter(name: "entity", kind: .text, description: "One entity alone.", option: "--entity"),
        ])

    private static let storeImport = MCPTool(
        name: "store_import", title: "Make and change objects",
        description:
            "Makes or changes an object for each row. Changes the store, unless dryRun is true: try that first.",
        verb: ["store", "import"], constant: ["--input", "json", "--format", "json", "-"], answers: [2],
        changesStores: true,
        parameters: [
            store,
            Parameter(
                name: "entity", kind: .text, description: "The entity of the rows.", isRequired: true,
                option: "--entity"),
            Parameter(
                name: "rows", kind: .rows, description: "Objects whose members are properties of the entity.",
                isRequired: true),
            Parameter(
                name: "key", kind: .text,
                description: "The attributes by which a row finds its object. The default is a uniqueness constraint.",
                option: "--key"),
            Parameter(name: "dryRun", kind: .flag, description: "Change nothing.", option: "--dry-run"),
        ])

    private static let path = Parameter(
        name: "path", kind: .path, description: "A model: source, compiled, or a store with a model in it.",
        isRequired: true)
    private static let version = Parameter(
        name: "version", kind: .text, description: "The version of a bundle. The default is the current one.",
        option: "--version")

    private static let modelShow = MCPTool(
        name: "model_show", title: "A model",
        description: "The entities of a model, with their attributes, relationships, indexes and constraints.",
        verb: ["model", "show"], parameters: [path, version])

    private static let modelLint = MCPTool(
        name: "model_lint", title: "Faults of a model", description: "The errors and warnings of a model.",
        verb: ["model", "lint"], answers: [1], parameters: [path, version])

    private static let modelDiff = MCPTool(
        name: "model_diff", title: "Differences of two models",
        description:
            "What differs between two models, by entity and property, and whether stores of one migrate to the other.",
        verb: ["model", "diff"], answers: [1],
        parameters: [
            Parameter(
                name: "old", kind: .path, description: "The old model, or a bundle of versions.", isRequired: true),
            Parameter(name: "new", kind: .path, description: "The new model."),
        ])
}
