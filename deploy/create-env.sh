#!/usr/bin/env bash
# Creates the file .env for compose.yaml, with new secrets and with empty variables for the values of your app. Never replaces an existing
# file, because the encrypted data in the database can be read only with the key in that file. Only the owner can read the file.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo '.env already exists. Without its keys, the database cannot be read, so it was not changed.' >&2
  exit 1
fi
# Each secret is generated before the file exists, so that a failure leaves no incomplete file.
password=$(openssl rand -hex 32)
key=$(openssl rand -base64 32)
token=$(openssl rand -hex 32)
umask 077
cat >.env <<END
# Your app's credentials and public address, from Shopify's Dev Dashboard.
SHOPIFY_API_KEY=
SHOPIFY_API_SECRET=
SHOPIFY_APP_URL=
# The print service's host for orders. docs/operators/configure.md describes its other hosts.
PRINT_ORDER_URL=
# Platen listens only on loopback, behind your own proxy, which sets X-Forwarded-For.
TRUST_PROXY=on

# Store a copy of ENCRYPTION_KEY away from the backups of the database. Without the key, a backup is useless.
ENCRYPTION_KEY=$key
METRICS_TOKEN=$token
POSTGRES_PASSWORD=$password
END
echo 'Created .env. Enter the four empty values, then run: docker compose up --build --detach --wait'
