# Each target does its own set-up: see Scripts/bootstrap.sh.
#   make demo [ARGS="-com.apple.CoreData.SQLDebug 1"]
#   make test
#   make bench
#   make fuzz [FUZZ_SECONDS=60] [ARGS="--kind mom --seed 7 --count 10000"]

.PHONY: demo test bench fuzz

demo:
	@Scripts/bootstrap.sh
	@Scripts/demo.sh $(ARGS)

test:
	@Scripts/bootstrap.sh
	@Scripts/test.sh

bench:
	@Scripts/bootstrap.sh
	@Scripts/bench.sh $(ARGS)

fuzz:
	@Scripts/bootstrap.sh
	@Scripts/fuzz.sh $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS)) $(ARGS)
