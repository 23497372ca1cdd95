#!/bin/sh
# PostgreSQL 18 with pgvector for the tests, from Debian's packages of the suite sid: older suites have pgvector 0.8.0, and 0.8.4 is
# the oldest that works. They are unpacked into a cache folder with their own C library, and not installed.
#
# Prints the folder of the programs. It ends with 1 and says what is missing where they cannot be had. --where only prints it.
# The tests can use another PostgreSQL with pgvector: SLUICE_TEST_PGVECTOR=/folder/with/initdb (test/support/postgres.ts).
set -eu

# PostgreSQL does not run as root, and no other account can read the home of root.
if [ "$(id -u)" = 0 ]; then default=/var/cache; else default="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}"; fi
cache="${SLUICE_CACHE:-$default/sluice}"
folder="$cache/pgvector"
version=18
programs="$folder/usr/lib/postgresql/$version/bin"

if [ "${1:-}" = --where ]; then
  echo "$programs"
  exit
fi
# The last step of unpacking makes this file.
if [ -e "$folder/complete" ]; then
  echo "$programs"
  exit
fi

fail() {
  echo "missing: PostgreSQL $version with pgvector (Debian package postgresql-$version-pgvector of sid, for test/): $1" >&2
  echo 'tools/provide-pgvector.sh: run this on Debian (amd64), or set SLUICE_TEST_PGVECTOR to the folder with initdb and postgres of a PostgreSQL that has pgvector 0.8.4 or newer' >&2
  exit 1
}
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail 'this system has no apt-get or dpkg-deb'
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keys" ] || fail "$keys does not exist"

mkdir -p "$cache"
work=$(mktemp -d "$cache/pgvector-XXXXXX")
chmod a+rx "$cache"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/apt/archives/partial" "$work/all"
# The mirror that this machine uses.
mirror=$(apt-cache policy 2>/dev/null | sed -n 's/^ *[0-9-]* \(https*:[^ ]*debian\) [a-z]*\/main amd64 Packages$/\1/p' | head -n 1)
[ -n "$mirror" ] || fail 'no mirror of Debian is set up'
echo "deb [signed-by=$keys] $mirror sid main" >"$work/sources.list"

# Lists and packages of their own: what is installed on this machine does not count.
apt() {
  apt-get -qq -y -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/apt" -o Dir::State::status=/dev/null \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@" >>"$work/log" 2>&1
}
apt update || fail "$(tail -n 1 "$work/log")"
apt --no-install-recommends --download-only install "postgresql-$version-pgvector" || fail "$(tail -n 1 "$work/log")"
for package in "$work"/apt/archives/*.deb; do
  dpkg-deb -x "$package" "$work/all" || fail "$package cannot be unpacked"
done

mkdir -p "$work/here/usr/lib" "$work/here/usr/share"
mv "$work/all/usr/lib/postgresql" "$work/all/usr/lib/x86_64-linux-gnu" "$work/here/usr/lib/"
mv "$work/all/usr/share/postgresql" "$work/here/usr/share/"
# Their C library is newer than this machine's: each program is started by the loader that belongs to it.
bin="$work/here/usr/lib/postgresql/$version/bin"
for program in initdb postgres pg_dump pg_restore psql; do
  mv "$bin/$program" "$bin/$program.bin"
  cat >"$bin/$program" <<'END'
#!/bin/sh
here=$(dirname "$0")
libraries="$here/../../../x86_64-linux-gnu"
exec "$libraries/ld-linux-x86-64.so.2" --argv0 "$0" --library-path "$libraries" "$0.bin" "$@"
END
  chmod +x "$bin/$program"
done
"$bin/postgres" --version >>"$work/log" 2>&1 || fail "$(tail -n 1 "$work/log")"
touch "$work/here/complete"
# The tests run it as another account than root.
chmod -R a+rX "$work/here"
# Another call may have been quicker: then its folder stays.
if ! mv -T "$work/here" "$folder" 2>/dev/null && [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  mv -T "$work/here" "$folder"
fi
echo "$programs"
