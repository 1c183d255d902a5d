# Tailcall, set up as in https://tailcall.run/docs/directives. It takes its port from its configuration only.
#
# The program needs glibc 2.39. With TAILCALL_LIBC, the folder of a newer libc, that libc's loader starts it. Its tracker,
# which would report the start over the network, and its line for each REST call are off.
set -e
config=node_modules/.cache/tailcall-$PORT.graphql
mkdir -p node_modules/.cache
sed "s/port: 4000/port: $PORT/" contenders/tailcall.graphql > "$config"
export TAILCALL_TRACKER=false TAILCALL_LOG_LEVEL=error
exec ${TAILCALL_LIBC:+"$TAILCALL_LIBC/ld-linux-x86-64.so.2" --library-path "$TAILCALL_LIBC"} \
  node_modules/@tailcallhq/core-linux-x64-gnu/bin/tailcall start "$config"
