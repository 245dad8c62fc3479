# Each target does its own set-up: see Scripts/bootstrap.sh.
#   make demo               builds and runs the program of the README, and says what to do next
#   make test               the check before a push
#   make check              all that a push must not break: servers, other stores, browser, documentation, threads
#   make check-packages     the packages beside the library: they build, and quick tests pass
#   make nightly [ARGS="address fuzz"]   what takes hours; Documentation/Nightly.tsv has the results
#   make test-long          the same suites at full size, the example package, the fuzzer
#   make test-tsan [ARGS="--filter QueueTests"]   under the thread sanitizer
#   make test-asan [ARGS="--filter QueueTests"]   under the address sanitizer
#   make test-examples      Examples/Garage and others as packages of their own, with the plugin
#   make test-macros        the macros of SwiftData against the same macros written with swift-syntax
#   make test-stores        the suites of behaviour over the kinds of stores that make test runs in part
#   make test-plain [ARGS=rowCollector]   the suites of behaviour without the fast paths
#   make test-callbacks [ARGS="--callback willSave --action reset"]   what programs do within calls of the library
#   make test-faults [ARGS="--scenario saves --kills 200"]
#   make mutate [ARGS="--source SavePlan"]   changes the library at one place after the other; a test must fail each time
#   make test-sqlcipher     the tests of stores with SQLCipher in place of SQLite
#   make test-bundled       the tests with SQLite compiled from a package, by the trait BundledSQLite
#   make test-postgresql    the tests of PostgreSQL stores, on a server that is started for them
#   make test-postgresql-long  cut connections, faults of the server and eight processes, at full size
#   make check-platforms    parses the sources, and compiles the C, for other systems; lists the system calls
#   make simulate-sync [ARGS=5000]   random histories of replicas and a server
#   make test-server        CoreDataServer with the trait Server, on SQLite and PostgreSQL, and the examples TeamServer and TeamNotes
#   make demo-server        two processes of Examples/TeamServer on one database, and requests by curl
#   make test-browser      the tests of `coredata store browse` in Chromium, which it installs if it is missing
#   make docs               the documentation site, in .build/docs/site
#   make docs-check [ARGS=--update]  runs its examples, follows its links
#   make format             formats every source
#   make bench [ARGS=--help]   compares with SQLite, GRDB and SQLAlchemy
#   make bench-postgresql [ARGS=--write]  compares stores on PostgreSQL with C programs and pgbench
#   make bench-sync         the times of sync, large values, and how fast pushes reach devices
#   make bench-check        instruction counts of the workloads against the stored ones
#   make bench-build        the times of momc and of builds
#   make package            a Debian package of coredata, momc and coredata-serve, in .build/package
#   make test-package       installs it in a clean root and uses it
#   make fuzz [FUZZ_SECONDS=60] [ARGS="--kind mom --seed 7 --count 10000"]

.PHONY: demo docs docs-check test check check-packages nightly test-long test-macros test-stores test-plain test-tsan test-asan test-callbacks test-faults mutate test-sqlcipher test-bundled check-platforms simulate-sync test-postgresql \
	test-postgresql-long test-server demo-server test-browser test-examples format bench bench-postgresql bench-sync bench-check bench-build fuzz package test-package

demo:
	@Scripts/bootstrap.sh
	@Scripts/demo.sh

test:
	@Scripts/bootstrap.sh
	@Scripts/test.sh

check:
	@Scripts/bootstrap.sh
	@Scripts/check.sh

check-packages:
	@Scripts/bootstrap.sh
	@Scripts/check-packages.sh

nightly:
	@Scripts/bootstrap.sh
	@Scripts/nightly.sh $(ARGS)

test-long:
	@Scripts/bootstrap.sh
	@Scripts/test-long.sh $(ARGS)

test-macros:
	@Scripts/bootstrap.sh
	@Scripts/test-macros.sh

test-tsan:
	@Scripts/bootstrap.sh
	@Scripts/test-sanitized.sh thread $(ARGS)

test-asan:
	@Scripts/bootstrap.sh
	@Scripts/test-sanitized.sh address $(ARGS)

test-stores:
	@Scripts/bootstrap.sh
	@Scripts/test-stores.sh $(ARGS)

test-plain:
	@Scripts/bootstrap.sh
	@Scripts/test-plain.sh $(ARGS)

test-callbacks:
	@Scripts/bootstrap.sh
	@Scripts/test-callbacks.sh $(ARGS)

test-faults:
	@Scripts/bootstrap.sh
	@Scripts/test-faults.sh $(ARGS)

mutate:
	@Scripts/bootstrap.sh
	@Scripts/mutate.py $(ARGS)

test-sqlcipher:
	@Scripts/bootstrap.sh
	@Scripts/test-sqlcipher.sh $(ARGS)

check-platforms:
	@Scripts/bootstrap.sh
	@Scripts/check-platforms.sh

test-bundled:
	@Scripts/bootstrap.sh
	@Scripts/test-bundled.sh $(ARGS)

simulate-sync:
	@Scripts/bootstrap.sh
	@Scripts/simulate-sync.sh $(ARGS)

test-postgresql:
	@Scripts/bootstrap.sh
	@Scripts/test-postgresql.sh $(ARGS)

test-postgresql-long:
	@Scripts/bootstrap.sh
	@COREDATA_LONG_TESTS=1 Scripts/test-postgresql.sh $(ARGS)

test-server:
	@Scripts/bootstrap.sh
	@Scripts/test-server.sh $(ARGS)

demo-server:
	@Scripts/bootstrap.sh
	@Scripts/demo-server.sh $(ARGS)

test-browser:
	@Scripts/bootstrap.sh
	@Scripts/test-browser.sh $(ARGS)

test-examples:
	@Scripts/bootstrap.sh
	@Scripts/example.sh $(ARGS)

docs:
	@Scripts/bootstrap.sh
	@Scripts/docs.sh

docs-check:
	@Scripts/bootstrap.sh
	@Scripts/docs-check.sh $(ARGS)

format:
	@Scripts/format.sh

bench:
	@Scripts/bootstrap.sh
	@Scripts/bench.sh $(ARGS)

bench-postgresql:
	@Scripts/bootstrap.sh
	@Scripts/bench-postgresql.sh $(ARGS)

bench-sync:
	@Scripts/bootstrap.sh
	@Scripts/bench-sync.sh

bench-check:
	@Scripts/bootstrap.sh
	@Scripts/bench-check.sh $(ARGS)

bench-build:
	@Scripts/bootstrap.sh
	@Scripts/bench-build.sh $(ARGS)

fuzz:
	@Scripts/bootstrap.sh
	@Scripts/fuzz.sh $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS)) $(ARGS)

package:
	@Scripts/bootstrap.sh
	@Scripts/debian-package.sh

test-package:
	@Scripts/test-debian-package.sh
