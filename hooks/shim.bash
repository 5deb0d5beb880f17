# deja's hook, written by `deja install`: passes what the agent sent to the daemon and prints the answer, or nothing.
# Usage: deja-hook <harness> <event>. Builtins alone, since it runs at every message and tool call; every external
# program would cost as much as all of this. No opinions here: what is said, and whether, the daemon decides.
exec 2>/dev/null
trap '' PIPE
LC_ALL=C # lengths in bytes
set -f
IFS=

[[ $# -eq 2 && $1$2 != *[!A-Za-z0-9_-]* ]] || exit 0

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

# One line of JSON in a fixed order, split at its commas: patterns that search cost a tenth of a millisecond each.
IFS=, read -r _ _ _ running _ _ port token secret _ <"$data_dir/run/daemon.json" || start_daemon
port=${port#'"port":'} token=${token#'"token":"'} secret=${secret#'"replySecret":"'}
token=${token%'"'} secret=${secret%%'"'*}
[[ $running == '"protocol":'* && $running != "\"protocol\":$protocol" ]] && exit 0
[[ $port && $port$token$secret != *[!0-9a-f]* && ${#secret} -eq 64 ]] || start_daemon

exec 3<>"/dev/tcp/127.0.0.1/$port" 4<&0 || start_daemon

# Reads stdin and sends the request. A process of its own, since neither may hold the hook up: stdin may never close, a
# hung daemon never read; and a limit on the read itself (-t) costs two system calls for each byte in bash 5.2 (32 KB:
# 17 ms). With -N the pipe is read in blocks; `read -d ''` goes byte by byte (1 MB: 1.4 s). NULs are lost.
send() {
  local name value body='' head padding length
  read -r -N 1000000 -u 4 stdin
  for name in "${environment_of_this_harness[@]}"; do
    if [[ ${!name+set} ]]; then
      value=${!name}
      body+="$name ${#value}"$'\n'"$value"$'\n'
    fi
  done
  body+="stdin ${#stdin}"$'\n'"$stdin"$'\n'
  # Padded to whole blocks of stdio, so that it leaves in one write: a short last one would wait 40 ms for the first to
  # be acknowledged (Nagle). What follows stdin is ignored; the length has a fixed width, not to change its own sum.
  printf -v head '%s\r\n' "POST /v1/hooks/$1/$2 HTTP/1.1" "Host: 127.0.0.1:$port" "Authorization: Bearer $token" 'Content-Length: 0000000' ''
  printf -v padding '%*s' $((4095 - (${#head} + ${#body} + 4095) % 4096)) ''
  body+=$padding
  printf -v length '%07d' ${#body}
  printf '%s' "${head/0000000/$length}$body" >&3
}
send "$@" &
sender=$!

# The end. With an argument: what answered, if anything, was not the daemon.
finish() {
  kill -9 $sender && wait $sender
  [[ $1 ]] && start_daemon
  exit 0
}

# The daemon's first header is the secret, and a stranger on the port doesn't know it. In blocks, as far as it goes.
read -r -N 97 -t 0.25 -u 3 head
if [[ $head != $'HTTP/1.1 200 OK\r\n'"x-deja-reply: $secret"$'\r\n' ]]; then
  # 204 and refusals have longer first lines.
  [[ $head == 'HTTP/1.1 '*$'\r\n'"x-deja-reply: ${secret:0:32}"* ]] && finish
  finish away
fi
length=0
for _ in 1 2 3 4 5 6; do
  read -r -t 0.003 -u 3 line || finish
  case $line in
    $'\r') break ;;
    'content-length: '*) length=${line#*: } length=${length%$'\r'} ;;
  esac
done
[[ $length != *[!0-9]* ]] && ((${#length} < 8 && length > 0)) || finish
read -r -N "$length" -t 0.02 -u 3 answer
((${#answer} == length)) && printf '%s' "$answer"
finish
