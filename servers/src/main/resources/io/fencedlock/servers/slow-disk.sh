# Lets the process $1 write only $3 times a second to the disk that its folder $2 is on, until our input ends: by a control group of its own.
trap '' HUP INT TERM QUIT PIPE
group=/sys/fs/cgroup/blkio$(sed -n 's/^[0-9]*:blkio://p' "/proc/$1/cgroup")
own=$group/fencedlock-$1
fail() { echo "$1"; exit 1; }
[ -w "$group/blkio.throttle.write_iops_device" ] || fail "no control group blkio (version 1) that we may use is here"
disk=$(stat -c %Hd:%Ld "$2")
[ -d "/sys/dev/block/$disk" ] || fail "the folder of the server is on no block device"
[ -f "/sys/dev/block/$disk/partition" ] && disk=$(cat "/sys/dev/block/$disk/../dev") # a partition has no queue of its own
mkdir "$own" || fail "no control group can be made in $group"
echo "$disk $3" >"$own/blkio.throttle.write_iops_device" && echo "$1" >"$own/cgroup.procs" && echo ok && read -r _
while read -r process; do echo "$process" >"$group/cgroup.procs"; done <"$own/cgroup.procs"
rmdir "$own"
