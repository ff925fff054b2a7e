#!/usr/bin/env bash
# The browser of the tests that open pages (npm run test:deep). Does nothing where it is there; installs it as root on Debian.
set -euo pipefail
if [ -x /usr/bin/chromium ]; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || [ ! -x /usr/bin/apt-get ]; then
  echo 'The browser tests need Chromium at /usr/bin/chromium. On Debian: sudo apt-get install chromium.' >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get update -qq
timeout 300 apt-get install --yes -qq --no-install-recommends chromium
