# Becomes the PostgreSQL server "$1" on the folder "$2" with the options that follow; makes the database first where there
# is none. PostgreSQL refuses to run as root: in a user namespace of its own root is nobody to the program and still owns
# its files; where there is no such namespace the folder is given to the user nobody.
postgres=$(readlink -f "$1") data=$2
shift 2
as=
umask 077
chmod 700 "$data"
if [ "$(id -u)" = 0 ]; then
  if unshare --user true 2>/dev/null; then
    as='unshare --user'
  else
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    chown 65534:65534 "$data"
    chmod a+x "$data/.."
  fi
fi
if [ ! -e "$data/PG_VERSION" ]; then
  $as "${postgres%/*}/initdb" --pgdata="$data" --username=postgres --auth=trust --encoding=UTF8 --no-locale --no-sync ||
    exit 1
fi
exec $as "$postgres" -D "$data" "$@"
