#!/usr/bin/env bash
# Runs every test with its full figures: what `.ci/run` runs, the tests that take too long for each change, 50,000 fuzzed requests, 200
# simulated seeds, the seeded defects and three large chaos runs. Installs Chromium, helm, promtool and PgBouncer, as root on Debian. Ends at
# the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-chromium.sh
npm test
export PLATEN_FUZZ_COUNT=50000
npm run test:deep
npm run test:crash
node test/run.ts --full
npm run simulate -- --seeds 200 --orders 8
npm run defects
for seed in 1 2 3; do
  npm run chaos -- --orders 2000 --seed "$seed"
done
