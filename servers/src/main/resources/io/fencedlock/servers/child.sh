# Becomes the program "$@", keeping our process id, once our parent says so (it has told the watchdog about us by then).
# When the parent dies before that, read fails and nothing is started.
read -r _ || exit 1
if [ -x "$(command -v setsid)" ]; then exec setsid "$@"; fi
exec "$@"
