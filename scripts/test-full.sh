#!/usr/bin/env bash
# Runs every test with its full figures: what `.ci/run` tests, the tests that take too long for each change, 50,000 fuzzed requests and
# bodies, 2,000 simulated seeds, the seeded defects and three large chaos runs. Installs Chromium, helm, promtool and PgBouncer, as root on
# Debian. Runs every part, even if an earlier one fails, and lists the failed parts at the end.
set -uo pipefail
cd "$(dirname "$0")/.."
export PLATEN_TEST_RETRY=1 PLATEN_FUZZ_COUNT=50000

source scripts/run-step.sh

failed=()
part() { run "$@" || failed+=("$*"); }

# The other tests wait now and then. The seeds run only in that time, so that they slow down nothing else.
idly=(nice -n 19)
if chrt --idle 0 true 2>/dev/null; then idly=(chrt --idle 0); fi
seeds=$(mktemp)
# Linux may divide the processor between sessions before it looks at priorities, so the session gets a low priority, too.
setsid bash -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec "$@"' - \
  "${idly[@]}" npm run simulate -- --seeds 2000 --orders 2 >"$seeds" 2>&1 &
simulation=$!
trap 'kill -- "-$simulation" 2>/dev/null' EXIT

part scripts/install-chromium.sh
part npm test
part npm run test:deep
part npx node test/run.ts --full
part npm run defects
part npm run test:crash
for seed in 1 2 3; do part npm run chaos -- --orders 2000 --seed "$seed"; done

wait "$simulation" || failed+=("npm run simulate")
cat "$seeds"
rm "$seeds"
echo "all parts took $SECONDS s"
if ((${#failed[@]} > 0)); then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
