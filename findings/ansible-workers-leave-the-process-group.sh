#!/bin/sh
# ansible-core 2.18.19 and 2.19.14: what ends when a signal goes to the process group of a playbook.
#
# One would guess: ansible-playbook and all that it starts on the machine are one process group, as
# with any command in a shell, so that KILL to the group (the last word of `timeout -k`, CI systems and
# supervisors) also ends the module of a local play.
# Seen: true up to 2.18. From 2.19 on each worker calls setsid, so its module has a process group and
# a session of its own, and only ansible-playbook passes TERM and INT on to it. KILL to the group ends
# ansible-playbook, and the module goes on.
set -eu

folder=$(mktemp -d)
trap 'cat "$folder"/place-*/pid 2>/dev/null | while read -r pid; do kill -KILL "$pid" || true; done 2>/dev/null
  rm -rf "$folder"' EXIT
cat >"$folder/play.yml" <<'PLAY'
- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - command: python3 -c "import os,time; open('pid','w').write('%d\n' % os.getpid()); time.sleep(60)"
      args: { chdir: "{{ place }}" }
PLAY

install() {
  "${PYTHON:-python3}" -m venv "$folder/$1"
  "$folder/$1/bin/pip" install --quiet --disable-pip-version-check "ansible-core==$1"
}

# Prints what the module does two seconds after a signal went to the process group of the playbook.
after_signal() {
  place=$folder/place-$1-$2
  mkdir "$place"
  setsid --fork sh -c 'echo $$ >"$0"; exec "$@"' "$place/main" "$folder/$1/bin/ansible-playbook" \
    -i localhost, "$folder/play.yml" -e "place=$place" \
    -e "ansible_python_interpreter=$folder/$1/bin/python" >"$place/log" 2>&1
  tries=0
  while [ ! -s "$place/pid" ] && [ $tries -lt 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  # The playbook leads its session, so its process id is that of its group.
  /bin/kill "-$2" -- "-$(cat "$place/main")"
  sleep 2
  if kill -0 "$(cat "$place/pid")" 2>/dev/null; then echo goes-on; else echo ended; fi
}

install 2.18.19
install 2.19.14
for case in '2.18.19 TERM ended' '2.18.19 KILL ended' '2.19.14 TERM ended' '2.19.14 KILL goes-on'; do
  set -- $case
  seen=$(after_signal "$1" "$2")
  echo "ansible-core $1, $2 to the process group: the module $seen"
  test "$seen" = "$3"
done
