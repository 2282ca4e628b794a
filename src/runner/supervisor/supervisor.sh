#!/bin/sh
# Stays with a task when the server goes: starts its program and keeps its exit code.
#   supervisor.sh FOLDER COMMAND [ARGUMENT...]
# In FOLDER it leaves, each written at one stroke, without a program of its own:
#   claimed     says who decided what becomes of the run: the server, or, empty, the supervisor
#   supervisor  pid, start time and boot of this process
#   child       the same of the program
#   spool       what the program prints
#   exit        the exit code, 128 and more: ended by a signal; only spaces: it goes on
# The file `control-group`, if there is one, names the group that the program joins.
folder=$1
shift

# A server that found no supervisor may have given this run up. Only one of us goes on.
set -C
{ true >"$folder/claimed"; } 2>/dev/null || exit 0
set +C

# Caught, not ignored: what is ignored would be ignored by the program too.
trap : HUP INT TERM

boot=none
[ -r /proc/sys/kernel/random/boot_id ] && read -r boot </proc/sys/kernel/random/boot_id

# The start time is field 22 of the line, counted behind the last bracket of the name.
identity() {
  read -r line 2>/dev/null <"/proc/$1/stat" || line=') 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
  # shellcheck disable=SC2086
  set -- "$1" ${line##*) }
  echo "$1 ${21} $boot"
}

# Room for the exit code, which has to be told also when the disk is full by then.
echo '        ' >"$folder/exit"

identity $$ >"$folder/supervisor"
if [ -r "$folder/control-group" ]; then
  read -r group <"$folder/control-group"
  # shellcheck disable=SC2016
  set -- /bin/sh -c 'echo $$ 2>/dev/null >"$0/cgroup.procs"; exec "$@"' "$group" "$@"
fi
if command -v setsid >/dev/null; then
  setsid "$@" </dev/null >>"$folder/spool" 2>&1 &
else
  # macOS has no such command.
  perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV or exit 127' "$@" </dev/null >>"$folder/spool" 2>&1 &
fi
child=$!
identity $child >"$folder/child"

# A signal ends `wait` early; then it waits again.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
echo "$code" 1<>"$folder/exit"
