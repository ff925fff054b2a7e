#!/usr/bin/env bash
# Installs PgBouncer in node_modules/.cache/pgbouncer for the tests of connection poolers. It comes from Debian's package, which is only
# unpacked with the libraries that this system lacks: no service is installed. Does nothing if PgBouncer is already installed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/node_modules/.cache/pgbouncer
if [ -x "$folder/usr/sbin/pgbouncer" ]; then exit; fi
if [ "$(id -u)" != 0 ] || [ ! -x /usr/bin/apt-get ]; then
  echo 'The tests of connection poolers need PgBouncer. On Debian, run this script as root.' >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export DEBIAN_FRONTEND=noninteractive
mkdir -p "$scratch/partial" "$scratch/unpacked"
timeout 120 apt-get update -qq
timeout 300 apt-get install --yes -qq --no-install-recommends --reinstall --download-only -o Dir::Cache::archives="$scratch" pgbouncer
for package in "$scratch"/*.deb; do dpkg-deb --extract "$package" "$scratch/unpacked"; done
mkdir -p "$(dirname "$folder")"
rm -rf "$folder"
mv "$scratch/unpacked" "$folder"
chmod 755 "$folder"
