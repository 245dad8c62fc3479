#!/bin/sh
# Checks the laws of ARCHITECTURE.md that a search can check. Prints each breach as FILE:LINE:TEXT.
set -eu
cd "$(dirname "$0")/.."

# Exists after a breach: the pipelines below run in subshells, whose variables are lost.
failed=$(mktemp -u)
trap 'rm -f "$failed"' EXIT

# Reports the lines of standard input, if there are any, under a title.
breach() {
    found=$(cat)
    [ -z "$found" ] && return
    printf '%s\n%s\n\n' "$1" "$found" >&2
    : >"$failed"
}

# Lines of Swift sources below the given folders that match, without comment lines.
search() {
    pattern=$1
    shift
    grep -rnE --include='*.swift' -- "$pattern" "$@" | grep -vE '^[^:]*:[0-9]+: *//' || true
}

except() { grep -vE "^($1)" || true; }

access='^ *(@[A-Za-z_]+(\([a-z]*\))? +)*((public|package|internal|private) +)?import +'
sql='Sources/CoreDataStores/SQL'

search "${access}Foundation(Essentials)?\$" Sources | except 'Sources/(CoreDataPredicates/Exports.swift|CoreDataSyncWire/)' |
    breach 'Modules: only CoreDataPredicates and CoreDataSyncWire import Foundation. Every other module gets it through the first.'
search "${access}(CoreDataModel|CoreDataStores|CoreDataClasses|OpenCoreData|CoreData)\$" Sources/CoreDataPredicates |
    breach 'Modules: CoreDataPredicates imports no module of this package.'
search "${access}(CoreDataModelEditing|CoreDataStores|CoreDataClasses|OpenCoreData|CoreData)\$" Sources/CoreDataModel |
    breach 'Modules: CoreDataModel imports no module above it.'
search "${access}CoreDataModelEditing\$" Sources | except 'Sources/CoreDataCommand/' |
    breach 'Modules: only the command imports CoreDataModelEditing, so that no program that reads models builds it.'
search "${access}(CoreDataClasses|OpenCoreData|CoreData)\$" Sources/CoreDataStores |
    breach 'Law 1: CoreDataStores imports no module above it, so that it sees no managed object and no context.'
search "${access}(CoreDataStores|OpenCoreData|CoreData|Logging|ArgumentParser)\$" Sources/CoreDataClasses Sources/momc |
    breach 'Modules: the model compiler has no dependency but CoreDataModel and CoreDataClasses.'
search "${access}[A-Za-z]+\$" Sources/SwiftDeclarations |
    breach 'Modules: SwiftDeclarations imports no module: the plugin of the compiler must build and start fast.'
search "${access}[A-Za-z]+\$" Sources/SwiftDataExpansion Sources/SwiftDataMacros |
    except 'Sources/SwiftDataExpansion/Messages/MessageChannel.swift|[^:]*:[0-9]+:import (SwiftDeclarations|SwiftDataExpansion)$' |
    breach 'Modules: the plugin of the compiler imports no other module: it must build and start fast.'
search "${access}(SQLiteLibrary|CSQLite|CSQLCipher|CSQLiteShims|SwiftToolchainCSQLite)\$" Sources | except "$sql/SQLite/|Sources/SQLiteLibrary/" |
    breach 'Law 3: only the folder of the SQLite engine imports SQLite.'
search "${access}Flying(Fox|Socks)\$" Sources | except 'Sources/CoreDataCommand/Web/' |
    breach 'Modules: only the server of the browser imports its sockets.'
search "${access}CLibPQ\$" Sources | except 'Sources/CoreDataPostgreSQL/' |
    breach 'Law 3: only the PostgreSQL engine imports libpq.'

search '"[^"]*\b(SELECT [A-Z0-9_*(\\]|INSERT (OR [A-Z]+ )?INTO |UPDATE [A-Z_\\]+ SET|DELETE FROM |CREATE (UNIQUE )?(TABLE|INDEX|TRIGGER) |PRAGMA )' Sources |
    except "$sql/|Sources/CoreDataPostgreSQL/" |
    breach 'Law 2: only the folder SQL and the PostgreSQL engine write SQL text.'
# The requests of SnapshotSource, StoreDatabase and SnapshotStore. Others pass them to the coordinator's read(_:_:).
requests='rows|rowStream|references|values|count|snapshot|destinations|contents|save|storedSnapshot|allocateKeys|reserveKeys|generation|fingerprint|computedOnSave|execute'
search "\\b(store|source|database|snapshotStore\\??)\\.($requests)\\(" Sources/OpenCoreData/Context Sources/OpenCoreData/Objects \
    Sources/OpenCoreData/FetchedResults Sources/OpenCoreData/Container Sources/OpenCoreData/Migration |
    breach 'Law 2: only the coordinator calls a store.'
grep -rniE --include='*.swift' -- 'sqlite' "$sql" | except "$sql/SQLite/" |
    breach 'Law 3: the folder SQL does not name an engine outside the folder of that engine, in comments neither.'
# Not in comments, which say what Apple's API does with SQLite stores, nor in the texts of errors.
search '.' Sources/OpenCoreData/Migration Sources/OpenCoreData/Coordinator | sed 's/"[^"]*"//g' |
    grep -iE '^[^:]*:[0-9]+:.*(sqlite|sqlcipher|postgres|libpq)' |
    breach 'Law 3: Migration and Coordinator do not name an engine. Ask the kind of store: ClosedStoreOperations.'
search '\b(SQL[A-Z][A-Za-z]*|SQLite[A-Za-z]*)\b' Sources/OpenCoreData/Context Sources/OpenCoreData/Objects |
    except 'Sources/OpenCoreData/[^:]*:[0-9]+:.*(NSSQLite|"[^"]*SQL)' |
    breach 'Law 1: contexts and objects do not know SQL.'

search '\bas\? *(Int|Int8|Int16|Int32|Int64|UInt|UInt8|UInt16|UInt32|UInt64|Double|Float|Bool)\b' Sources |
    breach 'Law 9: a number is never taken out of an Any by "as?". Use NSNumber and its properties.'

search "${access}(CoreDataModel|CoreDataPredicates|OpenCoreData|Foundation)\$" \
    Tests/CoreDataTests Tests/CoreDataExhaustiveTests Tests/CoreDataContextTests Tests/CoreDataFetchTests Tests/CoreDataTestSupport |
    except 'Tests/CoreData(Exhaustive|Context|Fetch)?Tests/Extensions/' |
    breach 'Law 10: tests of behaviour import CoreData alone. Tests of our extensions are in folders Extensions.'

search '(^|[^A-Za-z.])(NSError|CocoaError)\((domain|code|\.|Coc|$)' Sources |
    except 'Sources/CoreDataPredicates/CoreDataErrors.swift' |
    breach 'Errors: CoreDataErrors makes all errors, so that each has a description and a failure reason.'

systemCalls='\b(pthread_[a-z_]+|dlsym|dlopen|dladdr|getpid|gettid|fsync|fdatasync|flock|lstat|fstat|statvfs|unlink|realpath|clock_gettime|sysconf|mmap|isatty|ioctl|signal|getrusage)\('
search "$systemCalls" Sources |
    except 'Sources/CoreDataStores/Support/OperatingSystem(\+PlainFiles)?.swift|Sources/CoreDataPredicates/Files/|Sources/(CoreDataStores|OpenCoreData)/Runtime/|Sources/CoreDataPredicates/(Tree/StackSpace|Locked).swift|Sources/(CoreDataCommand/Support|momc)/StandardStreams.swift|Sources/SwiftDataExpansion/Messages/MessageChannel.swift' |
    breach 'Law 11: calls to the operating system stand in one file for each module.'
search "${access}(Glibc|Musl|Darwin|Android|WinSDK)\$" Sources |
    except 'Sources/CoreDataStores/Support/OperatingSystem(\+PlainFiles)?.swift|Sources/CoreDataPredicates/Files/|Sources/(CoreDataStores|OpenCoreData)/Runtime/|Sources/CoreDataPredicates/(Tree/StackSpace|Locked).swift|Sources/(CoreDataCommand/Support|momc)/StandardStreams.swift|Sources/SwiftDataExpansion/Messages/MessageChannel.swift' |
    breach 'Law 11: the C library is imported by the files with calls to the operating system.'

search '\bSQLSchema\(|\bresolved\(with:|Z_NAME[^"]* FROM Z_PRIMARYKEY' Sources |
    except "$sql/Schema/|$sql/SQLite/(File/SQLite(StoreFile|StoreOpener|EntityNumbers)|Migration/SQLite(StoreMigrator|MigrationSteps))|$sql/SQLite/Check/SQLiteStoreCheck|Sources/CoreDataPostgreSQL/" |
    breach 'Law 12: SQLiteEntityNumbers reads the numbers of entities. Take the schema of the open file, or SQLSchema.ofFile.'
# Without the exceptions: standard streams; files of the operating system itself, which made or locked them, and close
# descriptors by DatabaseFiles; new files of the editor and of sync; the input of an import, which is checked not to be a store;
# the model compiler and the plugin of the compiler, processes that open no store; names without a file.
opening='\bFileHandle\(for|\b(Data|NSData|String|NSString|NSDictionary|NSArray)\(contentsOf(File|URL)?:|\bInputStream\((url|fileAtPath)|\bcontents\(atPath|\bcontentsEqual\(|\bcopyItem\(|\bfopen\(|\bfreopen\(|\bopen(at)?\([^)]*O_[A-Z]'
search "$opening" Sources |
    except 'Sources/CoreDataPredicates/Files/FileContents.swift|Sources/CoreDataStores/Support/OperatingSystem(\+PlainFiles)?.swift|Sources/CoreDataCommand/Store/Import/StoreImportCommand.swift|Sources/CoreDataSyncModel/SyncBlobAssembly.swift|Sources/CoreDataClasses/|Sources/momc/|Sources/SwiftDataExpansion/' |
    breach 'Law 14: only SQLite opens a file that may be a store of this process. Read it by FileContents.'

# The comments of all sources and of the manifest.
commented='Sources Plugins Examples Tests Fuzz Faults Benchmarks Oracle Package.swift'
# shellcheck disable=SC2086 # each folder is one word
grep -rnE --include='*.swift' --exclude-dir=.build -- \
    '^ *//+ +(- [A-Za-z]+: )?(What|Who|Nobody|Somebody|Whoever)\b' $commented |
    breach 'Comments: the subject of a sentence is a named thing, not "What", "Who", "Nobody", "Somebody" or "Whoever".'
# shellcheck disable=SC2086
grep -rniE --include='*.swift' --exclude-dir=.build -- '//.*[^`]\b(nobody|somebody|whoever)\b' $commented |
    breach 'Comments: "nobody", "somebody" and "whoever" have a name: another thread, program, process or caller.'

search '\b(TODO|FIXME|XXX)\b|fatalError\("(not|un)[ -]?implemented' Sources Tests | breach 'Nothing is left unfinished in the tree.'

[ ! -e "$failed" ] || { echo "Laws of ARCHITECTURE.md are broken: see above." >&2; exit 1; }
