#!/bin/sh
# What carom writes as SARIF, against the schema of SARIF 2.1.0, with ajv. CAROM_SARIF_SCHEMA is the path of the schema
# (docs/guide/ci.md says where it is): it is not ours to copy, and without it this is skipped. Needs node and npm; goes
# to the network for what package-lock.json names.
#   schema.sh WORK-FOLDER
set -eu
source=$(cd "$(dirname "$0")" && pwd)
if [ -z "${CAROM_SARIF_SCHEMA:-}" ]; then
    echo "SKIPPED: no schema of SARIF (CAROM_SARIF_SCHEMA; docs/guide/ci.md says where it is)"
    exit 0
fi
mkdir -p "$1"
cd "$1"
cp "$source"/*.mjs "$source"/package.json "$source"/package-lock.json .
[ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --silent
node schema.mjs
