#!/bin/sh
# Starts the program of a task and stores its exit code, also when the runner ends meanwhile.
#   supervisor.sh FOLDER [-c COMMANDS]
# It starts before the program is known, since the kernel takes many milliseconds to move a process into a control
# group. Another shell waits there for commands on its standard input, which the runner writes at the right time.
# Without them nothing runs. With COMMANDS the shell executes these, which wait in its place.
# These files lie in FOLDER, each written with a single write and without starting a program:
#   claimed     who claimed the start of the program: `server`, or, when empty, the command
#   supervisor  pid, start time and boot of this process
#   child       the same for the waiting shell, which becomes the program
#   spool       the output of the program
#   exit        the exit code; 128 and more: a signal ended it; only spaces: it still runs
# The file `control-group`, if it exists, has the path of the group that the program joins. A second line `required`
# means that the group has limits: the program must not start outside of it.
folder=$1
shift

# The signals are caught, not ignored, because the program would inherit ignored signals.
trap : HUP INT TERM

boot=none
[ -r /proc/sys/kernel/random/boot_id ] && read -r boot </proc/sys/kernel/random/boot_id

# The start time is field 22; fields are counted from the last bracket of the name.
identity() {
  read -r line 2>/dev/null <"/proc/$1/stat" || line=') 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
  # shellcheck disable=SC2086
  set -- "$1" ${line##*) }
  echo "$1 ${21} $boot"
}

# Reserves space for the exit code, which must be written even if the disk is full.
echo '        ' >"$folder/exit"

identity $$ >"$folder/supervisor"
group= need=
[ -r "$folder/control-group" ] && { read -r group; read -r need; } <"$folder/control-group"

# Called by the waiting shell. 0 stands for the writing process.
join_group() {
  { echo 0 >"$group/cgroup.procs"; } 2>/dev/null && return
  [ "$need" = required ] || return 0
  echo 'The program cannot join the control group that limits it.'
  set -C
  { true >"$folder/claimed"; } 2>/dev/null
  exit 125
}

# The standard input of a background command would be /dev/null.
exec 3<&0
(
  [ -z "$group" ] || join_group
  command -v setsid >/dev/null && exec setsid /bin/sh "$@"
  # macOS has no such command.
  command -v perl >/dev/null && exec perl -MPOSIX -e 'POSIX::setsid(); exec "/bin/sh", @ARGV or exit 127' -- "$@"
  # Small images have neither: the processes are found by their environment.
  exec /bin/sh "$@"
) <&3 3<&- >>"$folder/spool" 2>&1 &
child=$!
exec 3<&- </dev/null
identity $child >"$folder/child"

# A signal ends `wait` early, so `wait` is called again.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
[ ! -e "$folder/claimed" ] || echo "$code" 1<>"$folder/exit"
