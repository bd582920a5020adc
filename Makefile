# Each verb is a script in Scripts/, so that CI, developers and packagers run the same commands.
.DEFAULT_GOAL := help
.PHONY: help setup build package run test check check-all check-bare-root fuzz sanitize demo logos format lint \
	generate bench conformance check-tls image-check contract-test clean

# Extra arguments for the script behind a verb: make test ARGS="--filter HTTPWireTests".
ARGS ?=

help: ## Show this list
	@awk -F ': .*## ' '/^[a-z-]+: .*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the missing Debian packages, for running, testing, linting and the image check
	@Scripts/setup

build: ## Build subguardd and subguard-load in release mode
	@Scripts/build

package: ## Build a Debian package, a tarball and a container image in .build/package (ARGS=--no-image)
	@Scripts/package $(ARGS)

run: ## Build, migrate, import the catalogue on the first start, and serve (SUBGUARD_PORT=8081 make run)
	@Scripts/run $(ARGS)

test: ## Build and run the Swift tests on SQLite (ARGS="--filter Name" for some of them)
	@Scripts/test $(ARGS)

check: ## Run the checks that every change must pass, after make test (ARGS="tls abuse" for some, ARGS=--list for all)
	@Scripts/check $(ARGS)

check-all: ## Run the other checks: before a release, and after a change of what they cover (more than an hour)
	@Scripts/check --all

check-bare-root: ## Run `make run` and `make test` in a new Debian system that has only the Swift toolchain
	@Scripts/check-bare-root $(ARGS)

fuzz: ## Fuzz the parsers for a minute each (ARGS="600 json" for ten minutes of one)
	@Scripts/fuzz $(ARGS)

sanitize: ## Run the tests under the address and the thread sanitizer (ARGS=thread for one)
	@Scripts/sanitize $(ARGS)

demo: ## Serve made-up data from a database of its own (ARGS=--remove; ARGS="--into URL" for a running server)
	@Scripts/demo $(ARGS)

logos: ## Upload CC0 icons for catalogue items without a logo (ARGS=--dry-run to see what matches)
	@Scripts/logos $(ARGS)

format: ## Format the Swift sources in place
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzzing/Package.swift \
		Fuzzing/Sources/fuzz Benchmarks/Package.swift Benchmarks/Sources Examples

lint: ## Run every gate that needs no running server: format, source rules, scripts, Dockerfile, imports
	@Scripts/lint

generate: ## Write the generated files anew
	@Scripts/generate

bench: ## Measure beside Hummingbird, nginx and SQLite, about 15 minutes (ARGS="rate --quick" for a part, briefly)
	@Scripts/bench $(ARGS)

conformance: ## Play the table of HTTP cases to subguardd and to nginx, and print where they differ (ARGS="--all")
	@Scripts/compare-nginx $(ARGS)

image-check: ## Build the Dockerfile with buildah, both stages, and start the result
	@Scripts/check image -- $(ARGS)

contract-test: ## Hold the server against its OpenAPI document with schemathesis (ARGS=600 for ten minutes)
	@Scripts/check contract -- $(ARGS)

check-tls: ## Hold the server's TLS against testssl.sh, in full; takes some minutes
	@Scripts/check tls -- $(ARGS)

clean: ## Remove what was built (the data stays)
	rm -rf .build
