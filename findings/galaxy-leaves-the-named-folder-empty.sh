#!/bin/sh
# ansible-core 2.14.18 and 2.18.19: ansible-galaxy collection install FILE -p FOLDER.
#
# One would guess: the collection is in the named folder afterwards, or the command fails. An image or a
# cache that is filled in this way has what was asked for.
# Seen: since the collection lies in another folder of ANSIBLE_COLLECTIONS_PATH, 2.18 says "Nothing to do",
# makes the named folder, leaves it empty, and exits with 0. What is copied from there has no collection.
# 2.14 installs it. `--force` does so in both.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ANSIBLE_NOCOLOR=1

for version in 2.14.18 2.18.19; do
  # 2.14 needs Python 3.11 or older, 2.18 has 3.11 to 3.13.
  "${PYTHON:-python3.11}" -m venv "$version"
  "$version/bin/pip" install --quiet --disable-pip-version-check "ansible-core==$version"
  galaxy="$folder/$version/bin/ansible-galaxy"
  mkdir "in-$version"
  cd "in-$version"
  "$galaxy" collection init example.tools >init.log
  "$galaxy" collection build example/tools >build.log
  "$galaxy" collection install example-tools-1.0.0.tar.gz -p machine >first.log 2>&1
  code=0
  ANSIBLE_COLLECTIONS_PATH="$PWD/machine" "$galaxy" collection install example-tools-1.0.0.tar.gz \
    -p named >second.log 2>&1 || code=$?
  found=$(find named -name MANIFEST.json | wc -l)
  said=$(grep -E -o 'Nothing to do|was installed successfully' second.log)
  echo "ansible-core $version exits with $code, says \"$said\": $found collections in the named folder"
  test "$code" = 0
  case $version in
    2.14.18) test "$found" = 1 ;;
    2.18.19) test "$found" = 0 && test -d named/ansible_collections ;;
  esac
  ANSIBLE_COLLECTIONS_PATH="$PWD/machine" "$galaxy" collection install example-tools-1.0.0.tar.gz \
    --force -p named >third.log 2>&1
  test -e named/ansible_collections/example/tools/MANIFEST.json
  cd "$folder"
done
