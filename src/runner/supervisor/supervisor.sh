#!/bin/sh
# Starts the program of a task and keeps its exit code, also when the runner ends meanwhile.
#   supervisor.sh FOLDER COMMAND [ARGUMENT...]
# It writes these files to FOLDER, each with a single write and without starting a program:
#   claimed     who took the right to start the program: `server`, or, when empty, the supervisor
#   supervisor  pid, start time and boot of this process
#   child       the same for the program
#   spool       what the program prints
#   exit        the exit code; 128 and more: a signal ended it; only spaces: it still runs
# The file `control-group`, if there is one, names the group that the program joins. A second line
# `required` says that the group has limits: the program does not start outside of it.
folder=$1
shift

# A runner that found no supervisor may have taken the right to start the program. Only one may have it.
set -C
{ true >"$folder/claimed"; } 2>/dev/null || exit 0
set +C

# The signals are caught, not ignored, because the program would inherit ignored signals.
trap : HUP INT TERM

boot=none
[ -r /proc/sys/kernel/random/boot_id ] && read -r boot </proc/sys/kernel/random/boot_id

# The start time is field 22 of the line; fields count from the last bracket of the name.
identity() {
  read -r line 2>/dev/null <"/proc/$1/stat" || line=') 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
  # shellcheck disable=SC2086
  set -- "$1" ${line##*) }
  echo "$1 ${21} $boot"
}

# Reserves room for the exit code, which has to be written even if the disk is full by then.
echo '        ' >"$folder/exit"

identity $$ >"$folder/supervisor"
group= need=
[ -r "$folder/control-group" ] && { read -r group; read -r need; } <"$folder/control-group"

# A subshell calls this before it becomes the program. The kernel takes 0 as the process that writes it.
join_group() {
  { echo 0 >"$group/cgroup.procs"; } 2>/dev/null && return
  [ "$need" = required ] || return 0
  echo 'The program cannot join the control group that limits it.'
  exit 125
}
(
  [ -z "$group" ] || join_group
  command -v setsid >/dev/null && exec setsid "$@"
  # macOS has no such command.
  exec perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV or exit 127' "$@"
) </dev/null >>"$folder/spool" 2>&1 &
child=$!
identity $child >"$folder/child"

# A signal ends `wait` early, so `wait` is called again.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
echo "$code" 1<>"$folder/exit"
