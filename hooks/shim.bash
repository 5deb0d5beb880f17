# deja's hook, written by `deja install`: passes what the agent sent to the daemon and prints the answer, or nothing.
# Usage: deja-hook <harness> <event>. Builtins alone, since it runs at every message and tool call; every external
# program would cost as much as all of this. No opinions here: what is said, and whether, the daemon decides.
exec 2>/dev/null
trap '' PIPE
LC_ALL=C # lengths in bytes
set -f
IFS=

[[ $# -eq 2 && $1$2 != *[!A-Za-z0-9_-]* ]] || exit 0

# Milliseconds left of the time that a part may take. Before bash 5 there is no fine clock; the parts' own limits hold.
microseconds() { now=${EPOCHREALTIME:-0}; now=${now/[.,]/}; }
left() {
  microseconds
  local rest=$((deadline - now))
  ((now == 0)) && rest=$1
  ((rest < 1000)) && rest=1000
  printf -v wait '%d.%06d' $((rest / 1000000)) $((rest % 1000000))
}

# At most one start at a time: run/starting holds the second in which the last one began, and counts for ten.
start_daemon() {
  [[ $DEJA_NO_AUTOSTART == 1 ]] && exit 0
  local second began
  printf -v second '%(%s)T' -1
  umask 077
  [[ -d $data_dir/run ]] || "$mkdir" -p "$data_dir/run" || exit 0
  if ! { set -C; printf '%s\n' "$second" >"$data_dir/run/starting"; }; then
    read -r began <"$data_dir/run/starting"
    [[ $began != *[!0-9]* ]] && ((second >= 10#${began:-0} && second - 10#${began:-0} < 10)) && exit 0
    set +C
    printf '%s\n' "$second" >"$data_dir/run/starting"
  fi
  set +C
  # The agent kills the hook's process group as soon as the hook ends: whoever starts the daemon has left it by then.
  if [[ $setsid ]]; then
    DEJA_HOME=$data_dir "$setsid" "$sh" -c '"$0" "$1" daemon run </dev/null >/dev/null 2>&1 &' "$node" "$cli" </dev/null >/dev/null 3>&-
  else
    set -m
    DEJA_HOME=$data_dir "$node" "$cli" daemon start </dev/null >/dev/null 3>&- &
  fi
  exit 0
}

# With -N the pipe is read in blocks; `read -d ''` goes byte by byte (1 MB: 1.4 s). NULs are lost.
read -r -N 1000000 -t 0.12 stdin

read -r state <"$data_dir/run/daemon.json" || start_daemon
port=${state##*'"port":'} port=${port%%[!0-9]*}
running=${state##*'"protocol":'} running=${running%%[!0-9]*}
token=${state##*'"token":"'} token=${token%%'"'*}
secret=${state##*'"replySecret":"'} secret=${secret%%'"'*}
[[ $running == "$protocol" ]] || exit 0
[[ $port && $token != *[!0-9a-f]* && ${#secret} -eq 64 ]] || start_daemon

body=
for name in "${environment_of_this_harness[@]}"; do
  if [[ ${!name+set} ]]; then
    value=${!name}
    body+="$name ${#value}"$'\n'"$value"$'\n'
  fi
done
body+="stdin ${#stdin}"$'\n'"$stdin"$'\n'

exec 3<>"/dev/tcp/127.0.0.1/$port" || start_daemon
request="POST /v1/hooks/$1/$2 HTTP/1.1"$'\r\n'"Host: 127.0.0.1:$port"$'\r\n'"Authorization: Bearer $token"$'\r\n'"Content-Length: ${#body}"$'\r\n\r\n'"$body"
microseconds
deadline=$((now + 150000))
if ((${#request} < 60000)); then
  printf '%s' "$request" >&3
else
  # More than the kernel takes from us while nobody reads: a writer of its own, or a hung daemon would hold us up.
  printf '%s' "$request" >&3 &
  writer=$!
fi
# Ends the writer and gives up the connection; without an argument the daemon is ours and lives.
finish() {
  [[ $writer ]] && kill -9 "$writer" && wait "$writer"
  [[ $1 ]] && start_daemon
  exit 0
}

left 150000
read -r -t "$wait" status <&3 || finish away
[[ $status == 'HTTP/1.1 20'[04]* ]] || finish away
believed= length=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  left 5000
  read -r -t "$wait" line <&3 || finish away
  line=${line%$'\r'}
  case $line in
    '') break ;;
    "x-deja-reply: $secret") believed=1 ;;
    'content-length: '*) length=${line#*: } ;;
  esac
done
# A stranger on the port doesn't know the secret.
[[ $believed ]] || finish away
[[ $status == *' 200 '* && $length != *[!0-9]* && ${#length} -lt 8 ]] || finish
((length > 0)) || finish
left 20000
read -r -N "$length" -t "$wait" answer <&3
((${#answer} == length)) && printf '%s' "$answer"
finish
