#!/bin/sh
# ansible-core 2.18.19 and 2.20.10: an undefined variable in the name of a play.
#
# One would guess: the name is a label, so the play runs; or the error ends with 1 or 2, the codes of errors
# and failed hosts.
# Seen: 2.18 shows the name as it stands and runs the play (exit code 0). 2.20 ends with 4 and runs nothing;
# that is the code of unreachable hosts, though no host was asked, and the recap is missing.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ANSIBLE_NOCOLOR=1 ANSIBLE_LOCALHOST_WARNING=false HOME="$folder"

cat >play.yml <<'EOF'
- name: Deploy {{ release }}
  hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - ansible.builtin.debug:
        msg: it runs
EOF

for version in 2.18.19 2.20.10; do
  # 2.20 needs Python 3.12 or newer, which 2.18 has too.
  "${PYTHON:-python3.12}" -m venv "$version"
  "$version/bin/pip" install --quiet --disable-pip-version-check "ansible-core==$version"
  code=0
  "$version/bin/ansible-playbook" play.yml >log 2>&1 || code=$?
  ran=$(grep -c 'it runs' log || true)
  recap=$(grep -c 'PLAY RECAP' log || true)
  echo "ansible-core $version exits with $code; tasks that ran: $ran; recaps: $recap"
  grep -i -m 1 'undefined\|Deploy' log
  case $version in
    2.18.19) test "$code" = 0 && test "$ran" = 1 ;;
    2.20.10) test "$code" = 4 && test "$ran" = 0 ;;
  esac
done
