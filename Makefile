# Each target does its own set-up: see Scripts/bootstrap.sh.
#   make demo [ARGS="-com.apple.CoreData.SQLDebug 1"]
#   make test
#   make bench

.PHONY: demo test bench

demo:
	@Scripts/bootstrap.sh
	@Scripts/demo.sh $(ARGS)

test:
	@Scripts/bootstrap.sh
	@Scripts/test.sh

bench:
	@Scripts/bootstrap.sh
	@Scripts/bench.sh $(ARGS)
