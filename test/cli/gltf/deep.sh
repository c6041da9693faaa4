#!/bin/sh
# The differential test: variants of models as gltfpack and gltf-transform write them, and public models, each read by
# carom, by three.js and by gltf-transform. Needs node and npm; goes to the network for what package-lock.json names.
#   deep.sh GLTF_PARTS WORK-FOLDER [FILE-OR-FOLDER...]      more to compare
set -eu
source=$(cd "$(dirname "$0")" && pwd)
parts=$1
work=$2
shift 2
mkdir -p "$work"
cp "$source"/*.mjs "$source"/package.json "$source"/package-lock.json "$work"
cd "$work"
npm ci --ignore-scripts --no-audit --no-fund --silent
rm -rf variants
models="$source/plain.glb"
public=/usr/share/assimp/models/glTF2
engine=$public/2CylinderEngine-glTF-Binary/2CylinderEngine.glb
if [ -f "$engine" ]; then models="$models $engine"; else public=; echo "SKIPPED: no $engine"; fi
# shellcheck disable=SC2086 # the lists are meant to be split
{
    node variants.mjs variants $models
    node compare.mjs "$parts" "$source" variants $public "$@"
}
