# Each target does its own set-up: see Scripts/bootstrap.sh.
#   make demo [ARGS="-com.apple.CoreData.SQLDebug 1"]
#   make test
#   make test-tsan [ARGS="--filter QueueTests"]
#   make bench
#   make fuzz [FUZZ_SECONDS=60] [ARGS="--kind mom --seed 7 --count 10000"]

.PHONY: demo test test-tsan bench fuzz

demo:
	@Scripts/bootstrap.sh
	@Scripts/demo.sh $(ARGS)

test:
	@Scripts/bootstrap.sh
	@Scripts/test.sh

test-tsan:
	@Scripts/bootstrap.sh
	@Scripts/test-tsan.sh $(ARGS)

bench:
	@Scripts/bootstrap.sh
	@Scripts/bench.sh $(ARGS)

fuzz:
	@Scripts/bootstrap.sh
	@Scripts/fuzz.sh $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS)) $(ARGS)
