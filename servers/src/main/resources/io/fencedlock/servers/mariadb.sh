# Becomes the MariaDB server "$1" on the folder "$2" with the options that follow; makes the system tables first where there
# are none: root without a password and a database "test". The server's own script for that needs a client package, too.
server=$(readlink -f "$1") data=$2
shift 2
base=$(cd "${server%/*}/.." && pwd)
share=$base/share/mysql
[ -f "$share/mysql_system_tables.sql" ] || share=$base/share/mariadb
set -- --no-defaults "--basedir=$base" "--lc-messages-dir=$share" "--datadir=$data" "$@"
[ "$(id -u)" != 0 ] || set -- "$@" --user=root
if [ ! -e "$data/made" ]; then
  {
    printf 'create database mysql;\ncreate database test;\nuse mysql;\nset @auth_root_socket = null;\n'
    cat "$share/mysql_system_tables.sql" "$share/mysql_system_tables_data.sql"
  } | "$server" "$@" --bootstrap --enforce-storage-engine= || exit 1
  : >"$data/made"
fi
exec "$server" "$@"
