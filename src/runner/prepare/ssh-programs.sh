# Runs ssh, scp or sftp, by its own name, with the configuration of this run. A configuration of the caller (-F)
# precedes it, since ssh uses the first value of an option. The runner sets these variables before these lines:
#   search  PATH in which the real program is found   config  configuration of the run
#   joined  prefix of the paths of joined configurations
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
      # The first word that is no option is the host; its command follows.
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
