#!/bin/sh
# `sh scripts/image/collect.sh FOLDER`: puts together what an image contains of Signalbox, after the
# builds of console and server: neither sources nor packages that only the builds need.
set -eu
to=$1/opt/signalbox
arch=$(node -p process.arch)
sqlite=node_modules/better-sqlite3

mkdir -p "$1/usr/local/bin" "$to/dist/server" "$to/$sqlite/prebuilds"
cp "node_modules/node-linux-$arch/bin/node" "$1/usr/local/bin/node"
ln -s /opt/signalbox/bin/signalbox "$1/usr/local/bin/signalbox"
cp scripts/image/side-car.cjs "$1/usr/local/bin/signalbox-side-car"
cp -R LICENSE package.json bin "$to/"
cp -R dist/web "$to/dist/"
cp -R dist/server/image "$to/dist/server/"
# The one package that the build of the server leaves out, without its sources and other platforms.
cp -R "$sqlite/LICENSE" "$sqlite/package.json" "$sqlite/lib" "$to/$sqlite/"
cp "$sqlite/prebuilds/linux-$arch.node" "$to/$sqlite/prebuilds/"
"$1/usr/local/bin/signalbox-side-car" compile "$to/dist/server/image"
# Tasks run as other users, who read this folder, whatever the umask of the builder is.
chmod -R a+rX "$to" "$1/usr/local/bin"
