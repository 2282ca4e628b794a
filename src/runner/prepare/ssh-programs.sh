# Is ssh, scp or sftp, whichever name it has, with the configuration of this run. A configuration
# that the caller names with -F comes before it: ssh takes the first value that it finds for an
# option. The runner sets three variables before these lines:
#   search  PATH in which the real program is found   config  configuration of the run
#   joined  beginning of the paths of joined configurations
name=${0##*/}
program=$(PATH=$search; command -v "$name") || { echo "$name: not found" >&2; exit 127; }
case $name in
  ssh) valued='[BbcDEeIiJLlmOoPpQRSWw]' ;;
  scp) valued='[cDiJloPSX]' ;;
  *) valued='[BbcDiJloPRSsX]' ;;
esac

theirs= over= left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  if [ -z "$over" ]; then
    case $word in
      -F)
        [ "$left" -gt 0 ] || break
        theirs=$1
        shift
        left=$((left - 1))
        continue
        ;;
      -F?*)
        theirs=${word#-F}
        continue
        ;;
      -$valued)
        if [ "$left" -gt 0 ]; then
          value=$1
          shift
          left=$((left - 1))
          set -- "$@" "$word" "$value"
          continue
        fi
        ;;
      -?*) ;;
      # The first word that is no option is the host: what follows is for it.
      *) over=yes ;;
    esac
  fi
  set -- "$@" "$word"
done

case $theirs in
  '' | none) ;;
  *)
    # ssh itself says what is wrong with a file that cannot be read.
    [ -r "$theirs" ] || exec "$program" -F "$theirs" "$@"
    case $theirs in /*) ;; *) theirs=$PWD/$theirs ;; esac
    both=$joined$(printf '%s' "$theirs" | cksum | tr -dc 0-9)
    { printf 'Include "%s"\n' "$theirs" && cat "$config"; } >"$both.$$" && mv "$both.$$" "$both"
    config=$both
    ;;
esac
exec "$program" -F "$config" "$@"
