#!/usr/bin/env bash
# Runs every test with its full figures: what `.ci/run` tests, the tests that take too long for each change, 50,000 fuzzed requests and
# bodies, 2,000 simulated seeds, the seeded defects and three large chaos runs. Installs Chromium, helm, promtool and PgBouncer, as root on
# Debian. Ends at the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."
export PLATEN_TEST_RETRY=1 PLATEN_FUZZ_COUNT=50000

source scripts/run-step.sh

run scripts/install-chromium.sh
run npm test
run npm run test:deep
run npx node test/run.ts --full
run npm run simulate -- --seeds 2000 --orders 2
run npm run defects
run_beside test:crash npm run chaos -- --orders 2000 --seed 1
run npm run chaos -- --orders 2000 --seed 2
run npm run chaos -- --orders 2000 --seed 3
