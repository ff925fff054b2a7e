#!/usr/bin/env bash
# Installs Chromium for the browser tests (npm run test:deep), as root on Debian. Does nothing if Chromium is already installed.
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
