// What the main container of a pod runs: a shell that starts supervisors and short programs as the side-car asks. Both
// containers share their processes, so the side-car follows and ends them as if they were its own.

/** The names of the files in the folder that both containers use for requests. */
export const mainFiles = {
  /** A pipe: each line is `step FOLDER MARK`, `tool FOLDER` or `end`. */
  requests: 'requests',
  /** The identity of the shell, and PATH of the image in the second line; made when it waits for requests. */
  ready: 'ready',
  /** The supervisor's script, which the side-car puts there. */
  supervisor: 'supervisor.sh',
} as const;

/**
 * ssh and Ansible refuse a user without a name. Images for any user let their programs add one; Ansible takes that of
 * the variable too. A supervisor reads its commands from a pipe, so that no file has them.
 */
export const mainScript = (main: string): string => `umask 022
if ! whoami >/dev/null 2>&1; then
  export USER=signalbox LOGNAME=signalbox
  [ ! -w /etc/passwd ] || echo "signalbox:x:$(id -u):$(id -g)::/tmp:/bin/sh" >>/etc/passwd
fi
mkdir -p ${main}
mkfifo -m 600 ${main}/${mainFiles.requests} || exit 125
exec 3<>${main}/${mainFiles.requests}
echo "$$" "$PATH" >${main}/.ready
mv ${main}/.ready ${main}/${mainFiles.ready}
while read -r kind folder mark <&3; do
  case $kind in
  step) SIGNALBOX_RUN=$mark sh ${main}/${mainFiles.supervisor} "$folder" <"$folder/input" 3<&- & ;;
  tool) { sh <"$folder/in" >"$folder/out" 2>"$folder/err" 3<&-; echo "$?" >"$folder/exit"; } & ;;
  end) exit 0 ;;
  esac
done
`;
