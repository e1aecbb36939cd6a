# make run     see it              make run ARGS="--scene open_blue --size 1280x720"
# make test    check it            (headless, on software OpenGL; no GPU needed)
# make soak    an hour in a window under Xvfb: nothing may grow; a plot in out/soak   make soak SOAK_MINUTES=10
# make drivers old and odd drivers and surroundings, as a table
# make random  play a random user: a million steps on no driver, ten thousand on a real one (minutes; PELAGIC_SEED=1 and
#              PELAGIC_STEPS=1000 play those steps of that seed)
# make web     the page for browsers, into out/web: static files for any web server
# make web-serve  the same, served on this machine: http://127.0.0.1:8017/       make web-serve PORT=9000
#                 HTTPS=1 serves other machines of the network by HTTPS, as headsets ask for
# make test-web   drive the page in headless Chromium
# make dist    packages for people who do not build, for Linux, Windows and browsers, into out/dist (half an hour; make dist
#              DIST_ARGS="--systems linux --url https://example.org/pelagic" makes a part, with the project's address in it)
# make systems check that the program compiles for Windows and macOS; links and runs nothing there
# make lint    formatting, clippy and documentation, warnings refused
# make bench   measure runs, effects and a ladder of fish, off-screen, into out/bench; then the micro-benchmarks
# make fuzz    feed a reader of files with a fuzzer: make fuzz TARGET=scene MINUTES=15 (needs cargo-fuzz and nightly Rust)
# make pictures  make the pictures of the scenes in the README and on the page anew
# make guide   make the guide's reference of scene files anew from the schema
# make looks   every scene in every water, and other tweaks one at a time, as contact sheets in out/looks (an hour on two
#              cores; make looks LOOKS=reef,wreck draws these alone)
# make photograph  measure by what the scenes' first views give themselves away as renderings, onto one page, out/photograph
# make monte-carlo  make the table of true light under water anew, tests/cpu/monte_carlo/table.csv (ten minutes on two cores)
# make assets  make the models and textures anew if the forge has changed, and write their hashes, crates/assets/assets.lock
#
# run, test and web first see to the system's libraries: scripts/system-packages.sh.

CARGO ?= cargo
ARGS ?=
DIST_ARGS ?=
BENCH_ARGS ?= --all --offscreen
MICRO_ARGS ?= --noplot
PELAGIC = $(CARGO) run --locked --release --quiet --

# The tests must give the same on every machine, so they render in software, and a missing OpenGL fails them.
TEST_ENV = LIBGL_ALWAYS_SOFTWARE=1 REQUIRE_GL=1 XDG_RUNTIME_DIR="$${XDG_RUNTIME_DIR:-$(CURDIR)/target/xdg}"

.PHONY: run test random soak drivers life web web-serve test-web dist systems lint bench fuzz assets pictures looks photograph guide \
	monte-carlo \
	packages-run packages-test packages-web packages-systems packages-dist packages-pictures

# Where no window can be opened it says so and ends with 3.
run: packages-run
	@$(CARGO) build --locked --release
	@$(PELAGIC) $(ARGS) || { code=$$?; [ $$code -eq 3 ] || exit $$code; \
		echo "make: pelagic --headless $(ARGS)"; $(PELAGIC) --headless $(ARGS); }

test: packages-test
	@mkdir -p -m 700 target/xdg
	$(TEST_ENV) $(CARGO) test --locked --workspace

SOAK_MINUTES ?= 60

soak: packages-test
	@mkdir -p -m 700 target/xdg
	$(TEST_ENV) SOAK_MINUTES=$(SOAK_MINUTES) $(CARGO) test --locked --test cli soak -- --include-ignored --nocapture

drivers: packages-test
	@$(CARGO) build --locked --release
	@scripts/drivers.sh

random: packages-test
	@mkdir -p -m 700 target/xdg
	$(TEST_ENV) $(CARGO) test --locked --package pelagic-demo --lib -- --ignored --nocapture random_user

# An hour in the life of every scene, as fast as the machine goes.
life:
	$(CARGO) test --locked --release --test cpu behaviour -- --ignored --nocapture

PAGE = $(CARGO) run --locked --quiet --package pelagic-page --features bindgen --
PORT ?= 8017

web: packages-web
	@$(PAGE) build

web-serve: web
	@$(PAGE) serve --port $(PORT) $(if $(HTTPS),--https)

# The page is held against what the desktop's program draws.
test-web: packages-test packages-web
	@scripts/system-packages.sh chromium || echo "make: without Chromium"
	@mkdir -p -m 700 target/xdg
	@$(CARGO) build --locked --release --bin pelagic
	@$(PAGE) build
	$(TEST_ENV) $(CARGO) test --locked --package pelagic-page --test browser -- --ignored --nocapture --test-threads 1

# Built in target/dist, for the paths of this machine are left out of it.
dist: packages-dist
	@$(CARGO) run --locked --quiet --package pelagic-dist -- $(DIST_ARGS)

# With a target folder of its own: the compiler may be another.
systems: packages-systems
	@for system in x86_64-pc-windows-gnu aarch64-apple-darwin; do \
		CARGO_TARGET_DIR=$(CURDIR)/target/systems scripts/cargo-for.sh $$system check --locked || exit; \
	done

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --locked --workspace --no-deps

bench: packages-run
	@$(CARGO) build --locked --release
	@$(PELAGIC) bench $(BENCH_ARGS)
	@mkdir -p out/bench
	@$(CARGO) bench --locked --bench hot -- $(MICRO_ARGS) | tee out/bench/micro.txt

# New inputs go into the first folder; the second is the kept corpus.
FUZZ_TARGETS = model gltf mdl scene texture species result
MINUTES ?= 15
fuzz:
	@$(if $(filter $(TARGET),$(FUZZ_TARGETS)),,echo "TARGET is one of: $(FUZZ_TARGETS)"; exit 2)
	@mkdir -p fuzz/target/corpus/$(TARGET)
	$(CARGO) +nightly fuzz run -s none $(TARGET) fuzz/target/corpus/$(TARGET) fuzz/corpus/$(TARGET) -- \
		-max_total_time=$$(($(MINUTES) * 60)) -timeout=60 -rss_limit_mb=2048 -max_len=32768 -print_final_stats=1

# Any build makes them anew when a source of the forge has changed; this writes the hashes too.
assets:
	UPDATE_LOCK=1 $(CARGO) test --locked --package pelagic-assets

# The built-in scenes; a picture of the one for measuring says nothing.
SCENES = $(filter-out calibration,$(basename $(notdir $(wildcard assets/scenes/*.toml))))

# Lossy WebP: what is committed anew at times should weigh little.
PICTURE = cwebp -quiet -q 78 -m 6 -sharp_yuv out/picture.png -o
pictures: packages-pictures
	@$(CARGO) build --locked --release
	@mkdir -p docs/scenes out
	@$(PELAGIC) shot --quality high --size 960x540 --out out/picture.png && $(PICTURE) docs/reef.webp
	@for scene in $(SCENES); do \
		$(PELAGIC) shot --scene $$scene --quality high --size 480x270 --out out/picture.png && \
			$(PICTURE) docs/scenes/$$scene.webp || exit; \
	done

LOOKS ?=
looks: packages-test
	@mkdir -p -m 700 target/xdg
	$(TEST_ENV) LOOKS=$(LOOKS) $(CARGO) test --locked --release --test gl looks -- --ignored --nocapture

photograph: packages-test
	@mkdir -p -m 700 target/xdg
	$(TEST_ENV) $(CARGO) test --locked --release --test gl photograph -- --ignored --nocapture

guide:
	UPDATE_GUIDE=1 $(CARGO) test --locked --test cli reference

monte-carlo:
	$(CARGO) test --locked --release --test cpu write_the_table -- --ignored

packages-run packages-test packages-web packages-systems packages-dist packages-pictures: packages-%:
	@scripts/system-packages.sh $*
