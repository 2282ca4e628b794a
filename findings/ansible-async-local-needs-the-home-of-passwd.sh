#!/bin/sh
# ansible-core 2.14.18 and 2.18.19: a task with `async` and `poll` on localhost, with another HOME than
# that of the account, as services, containers and CI have it.
#
# One would guess: HOME counts for everything or for nothing, so the task ends as it does without `async`.
# Seen: the file of the job is written below HOME, since the shell expands `~`, while the poll looks below
# the home that the password database names. The program runs, and the task fails: "could not find job".
# With ANSIBLE_ASYNC_DIR, which counts for both, it succeeds.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ANSIBLE_NOCOLOR=1 ANSIBLE_LOCALHOST_WARNING=false

cat >play.yml <<'EOF'
- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - ansible.builtin.command: touch {{ mark }}
      async: 30
      poll: 1
EOF

for version in 2.14.18 2.18.19; do
  "${PYTHON:-python3.11}" -m venv "$version"
  "$version/bin/pip" install --quiet --disable-pip-version-check "ansible-core==$version"
  for async_dir in '' "$folder/jobs-$version"; do
    mkdir -p "$folder/home-$version"
    rm -f "$folder/mark"
    code=0
    HOME="$folder/home-$version" ${async_dir:+env ANSIBLE_ASYNC_DIR="$async_dir"} \
      "$version/bin/ansible-playbook" -e "mark=$folder/mark" play.yml >log 2>&1 || code=$?
    ran=no
    test -e "$folder/mark" && ran=yes
    said=$(grep -o 'could not find job' log | head -n 1 || true)
    echo "ansible-core $version, async_dir \"${async_dir##*/}\": exits with $code, ran: $ran, says \"$said\""
    test "$ran" = yes
    if [ -z "$async_dir" ]; then test "$code" = 2 && test -n "$said"; else test "$code" = 0; fi
  done
done
