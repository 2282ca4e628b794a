# The ssh program of git. Selects the key by the host and the repository of the connection. The runner defines
# these before these lines:
#   config   configuration with the key of the repository; empty: that of the user
#   others   configuration for the keys by host
#   choose   a function that calls `matches` for each of these keys, the most specific first
[ -z "$SIGNALBOX_SSH_ERRORS" ] || exec 2>>"$SIGNALBOX_SSH_ERRORS"

user= port=22
options=1246AaB:b:Cc:D:E:e:F:fGgI:i:J:KkL:l:Mm:NnO:o:P:p:Q:qR:S:sTtVvW:w:XxYy
while getopts "$options" option; do
  case $option in
    l) user=$OPTARG ;;
    p) port=$OPTARG ;;
    *) ;;
  esac
done
# git calls `ssh [options] [user@]host "git-upload-pack 'path'"`, git-lfs the same without quotes.
read_target() {
  shift "$(($1 + 1))"
  target=$1 command=$2
}
read_target "$((OPTIND - 1))" "$@"
case $target in *@*) user=${target%@*} ;; esac
host=$(printf %s "${target##*@}" | tr '[:upper:]' '[:lower:]')
path=${command#* }
case $path in
  "'"*)
    path=${path#\'}
    path=${path%%\'*}
    ;;
  *) path=${path%% *} ;;
esac
path=${path#/}
case /$path/ in */../* | */./*) path= ;; esac

# Whether the connection is one of these; an empty argument matches any.
matches() {
  [ "$1" = "$host" ] || return 1
  [ -z "$2" ] || [ "$2" = "$port" ] || return 1
  [ -z "$3" ] || [ "$3" = "$user" ] || return 1
  [ -n "$4" ] || return 0
  case $path/ in "$4"/*) return 0 ;; *) return 1 ;; esac
}

choose "$@"
[ -z "$config" ] || exec ssh -F "$config" "$@"
exec ssh "$@"
