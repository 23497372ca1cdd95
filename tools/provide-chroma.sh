#!/bin/sh
# Chroma for the tests: its npm package, with the hashes of engines/chroma/package-lock.json, in a cache folder. Where this machine's C
# library is older than 2.38, the one that tools/provide-pgvector.sh unpacks is used.
#
# Prints the folder, which has the program `chroma`. It ends with 1 and says what is missing where it cannot be had. --where only prints
# the folder. The tests can use another server instead: CHROMA_URL=http://HOST:PORT (test/contract/chroma.test.ts).
set -eu
name=chroma
tools=$(cd "$(dirname "$0")" && pwd)
home="$tools/engines/$name"
. "$home/../unpack.sh"
answer "$@"

advice='run this on Linux with glibc (amd64 or arm64) or macOS, or set CHROMA_URL to a server of yours'
begin
cp "$home/package.json" "$home/package-lock.json" "$work/"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund) >"$work/log" 2>&1 || fail "$(grep -m 1 error "$work/log")" "$advice"

# $1: what comes before `node`
write_program() {
  printf '#!/bin/sh\nexec %s "$(command -v node)" "$(dirname "$0")/node_modules/chromadb/dist/cli.mjs" "$@"\n' "$1" >"$work/chroma"
  chmod +x "$work/chroma"
  "$work/chroma" --help >"$work/log" 2>&1
}
if ! write_program ''; then
  programs=$("$tools/provide-pgvector.sh" 2>"$work/log") || fail "$(head -n 1 "$work/log")" "$advice"
  libraries=${programs%/lib/postgresql/*}/lib/x86_64-linux-gnu
  write_program "$libraries/ld-linux-x86-64.so.2 --library-path $libraries" || fail "$(grep -m 1 Error "$work/log")" "$advice"
fi
finish
