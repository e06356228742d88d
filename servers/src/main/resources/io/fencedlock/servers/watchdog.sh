# Kills what a JVM has started, and removes its folder, when that JVM is gone: the end of our input is the sign, and
# it comes however the JVM ends. $1 is the folder. Input, answered with "ok": "watch PID", "forget PID".
trap '' HUP INT TERM QUIT PIPE
base=$1
pids=' '
while read -r verb pid; do
  case $verb in
    watch) pids="$pids$pid " ;;
    forget) case $pids in *" $pid "*) pids="${pids%% "$pid" *} ${pids#* "$pid" }" ;; esac ;;
  esac
  echo ok
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
tries=0
while rm -rf "$base" 2>/dev/null; [ -e "$base" ] && [ $tries -lt 100 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
