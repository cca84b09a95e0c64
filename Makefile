# Cat Race: every command of this project. `make` alone lists them.
# What a command needs beyond a Swift toolchain it installs first, and only when it is missing (.ci/install).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test build release bench bench-scale bench-store crash lint format states explore simulate \
    fuzz fuzz-keep sanitize soak floods limits restarts front rootfs clean

# A target that imports what Package.swift does not give it fails the build.
STRICT := --explicit-target-dependency-import-check error
# Release programs carry the Swift runtime in them: they need only the system's C libraries.
RELEASE := -c release --static-swift-stdlib $(STRICT)
# Flags for the server: make run ARGS="--port 7300"
ARGS ?=
# Of make bench (and crash, 200): rounds of each figure, seconds of each run, pairs of players
ROUNDS ?= $(if $(filter crash,$(MAKECMDGOALS)),200,5)
SECONDS ?= 5
PAIRS ?= 10 100 1000 4000
# and numbers of loops to compare, as in LOOPS="1 2"; none unless asked for
LOOPS ?=
# What `make bench-store` fills a file with.
PLAYERS ?= 1000000
RESULTS ?= 10000000
# How much `make simulate` plays: seeds, and races for each.
SEEDS ?= 1-10
RACES ?= 1000
# Of make restarts: races under way, and restarts under them.
UNDER_WAY ?= 500
RESTARTS ?= 10
# Of make fuzz: seconds for each target, targets beside each other, and which (all unless named)
FUZZ_SECONDS ?= 3600
FUZZ_AT_ONCE ?= 1
FUZZ_TARGETS ?=
# Of make sanitize: which suites (all unless named)
SUITES ?=
# Of make soak: minutes of churn, and rounds before it
SOAK_MINUTES ?= 10
SOAK_ROUNDS ?= 50
# Of make floods: seconds of each flood
FLOOD_SECONDS ?= 30

help: ## List these commands
	@echo "Cat Race. Commands:"
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
	    while IFS=$$'\t' read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

run: release ## Build the server and start it (flags: make run ARGS="--port 7300")
	@exec .build/release/catrace-server $(ARGS)

test: ## Build everything and run all tests
	@.ci/install libssl-dev libsqlite3-dev netcat-openbsd inetutils-telnet python3 openssl curl
	swift build --build-tests $(STRICT)
	@# One test counts what a move allocates, which only an optimised program can show.
	swift build -c release $(STRICT) --product core-bench
	@# Only Swift Testing: its summary is then the last line. End-to-end tests use the programs in .build/debug.
	swift test --skip-build --disable-xctest $(STRICT)

build: ## Build everything for debugging, into .build/debug
	@.ci/install libssl-dev libsqlite3-dev
	swift build $(STRICT)

release: ## Build the three programs for use, into .build/release
	@.ci/install libssl-dev libsqlite3-dev
	swift build $(RELEASE)

bench: release ## Compare the server with a bare relay (ROUNDS=5 SECONDS=5 PAIRS="10 100 1000 4000")
	@.ci/install python3
	@python3 -B Tests/Bench/bench.py --rounds $(ROUNDS) --seconds $(SECONDS) --pairs "$(PAIRS)" \
	    --loops "$(LOOPS)"

bench-scale: release ## Measure 19000 connections, storms of them, and many matches
	@.ci/install python3
	@python3 -B Tests/Bench/scale.py --rounds $(ROUNDS)

bench-store: release ## Measure the store: much in it, and locked (PLAYERS=1000000 RESULTS=10000000)
	@# The file is made once for each size; its name tells the sizes.
	@directory=.build/bench-store-$(PLAYERS)-$(RESULTS); \
	    if [ ! -e $$directory/whole ]; then \
	        rm -rf $$directory; \
	        echo "making $$directory: some minutes"; \
	        time .build/release/store-bench fill $$directory $(PLAYERS) $(RESULTS); \
	        touch $$directory/whole; \
	    fi; \
	    .build/release/store-bench measure $$directory $(PLAYERS) $(RESULTS)
	@.ci/install python3
	@python3 -B Tests/Bench/locked.py --rounds $(ROUNDS)

crash: release ## Kill the server at random moments and look whether all that was told is kept (ROUNDS=200)
	@.ci/install python3
	@python3 -B Tests/EndToEndTests/Scripts/crash.py --rounds $(ROUNDS)

restarts: release ## Restart a server under many races, also with its socket held (UNDER_WAY=500 RESTARTS=10)
	@.ci/install python3
	@python3 -B Tests/Restarts/restarts.py --races $(UNDER_WAY) --restarts $(RESTARTS)

lint: ## Check format, scripts, Dockerfile, compose file and the top level
	@.ci/install shellcheck python3 hadolint pyyaml
	swift format lint --strict --recursive Sources Tests Package.swift
	.ci/lint

format: ## Format all Swift files in place
	swift format --in-place --recursive Sources Tests Package.swift

states: ## Draw Protocol/states.md anew from the match rules
	@.ci/install libssl-dev libsqlite3-dev
	CATRACE_WRITE_STATES=1 swift test --disable-xctest $(STRICT) --filter StatesDocument

explore: ## Walk through every state of the larger matches too (a minute or two)
	@.ci/install libssl-dev libsqlite3-dev
	CATRACE_EXPLORE=full swift test --disable-xctest $(STRICT) --filter ExplorationTests

simulate: ## Race servers and clients in one process, from seeds (SEEDS=1-10 RACES=1000)
	@.ci/install libssl-dev libsqlite3-dev
	swift build $(RELEASE) --product catrace-simulate
	.build/release/catrace-simulate --seeds $(SEEDS) --races $(RACES) | tee .build/simulate.log
	@diff <(sed -n 's/^seed=\([0-9]*\) .* digest=\(.*\)$$/\1 \2/p' .build/simulate.log) \
	    <(.build/release/catrace-simulate --seeds $(SEEDS) --races $(RACES) --digest)
	@echo "Another process tells the same histories."

# libFuzzer's runtime lies beside the compiler. Its own main is not used: ours takes the target's name first.
FUZZER = $(shell "$$(dirname "$$(readlink -f "$$(command -v swiftc)")")/clang" \
    -print-file-name=libclang_rt.fuzzer_no_main-$(shell uname -m).a)
FUZZ_BUILD = swift build -c release --build-path .build/fuzz $(STRICT) --product catrace-fuzz -Xswiftc -DFUZZING \
    -Xswiftc -sanitize=address -Xswiftc -use-ld=lld -Xlinker "$(FUZZER)" -Xlinker -lstdc++ \
    -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table

fuzz: ## Fuzz every decoder and the whole server core (FUZZ_SECONDS=3600 for each target)
	@.ci/install libssl-dev libsqlite3-dev python3
	$(FUZZ_BUILD)
	@python3 -B Tests/Fuzz/fuzz.py --seconds $(FUZZ_SECONDS) --at-once $(FUZZ_AT_ONCE) $(FUZZ_TARGETS)

fuzz-keep: ## Take what fuzzing found into Tests/Fuzz/Corpus, as little as covers the same
	$(FUZZ_BUILD)
	@python3 -B Tests/Fuzz/fuzz.py --keep $(FUZZ_TARGETS)

sanitize: ## Run the suites under the thread and the address sanitizer (SUITES="TransportTests")
	@.ci/install libssl-dev libsqlite3-dev netcat-openbsd inetutils-telnet python3 openssl curl
	@Tests/Sanitize/sanitize thread $(SUITES)
	@Tests/Sanitize/sanitize address $(SUITES)

soak: release ## Play and leave for a long time: nothing may be left (SOAK_ROUNDS=50 SOAK_MINUTES=10)
	@.ci/install python3
	@python3 -B Tests/Soak/soak.py --rounds $(SOAK_ROUNDS) --churn $$(($(SOAK_MINUTES) * 60))

floods: release ## Measure honest players while others flood the server (FLOOD_SECONDS=30 each)
	@.ci/install python3
	@python3 -B Tests/Floods/floods.py --seconds $(FLOOD_SECONDS)

limits: release ## Run into limits on purpose, and measure the way back
	@.ci/install python3
	@python3 -B Tests/Floods/limits.py

front: release ## Race through HAProxy with TLS, under Prometheus, as docker/ configures both
	@.ci/install haproxy prometheus netcat-openbsd openssl python3
	@python3 -B Tests/Front/front.py

rootfs: release ## Build the container image's file tree without Docker and try the server in it
	@.ci/install iproute2
	docker/rootfs.sh .build/release .build/rootfs

clean: ## Remove everything that was built
	rm -rf .build
