#!/bin/sh
# The S3 server of the tests: the monitor, one OSD and the gateway (RGW) of Ceph, from Debian's packages. They are unpacked into a
# cache folder and not installed: Ceph's packages bring services, users and tools for disks, which no test needs.
#
# Prints the folder. It ends with 1 and says what is missing where it cannot be had. --where only prints the folder.
# The tests can use another S3 server instead: SLUICE_TEST_S3=s3://KEY:SECRET@HOST:PORT?tls=false (test/support/s3-server.ts).
set -eu

cache="${SLUICE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sluice}"
folder="$cache/ceph"
packages='ceph-mon ceph-osd radosgw'

if [ "${1:-}" = --where ]; then
  echo "$folder"
  exit
fi
# The last step of unpacking makes this file.
if [ -e "$folder/complete" ]; then
  echo "$folder"
  exit
fi

fail() {
  echo "missing: the S3 server of the tests (Debian packages $packages, for test/): $1" >&2
  echo 'tools/provide-s3.sh: run this on Debian 12, or set SLUICE_TEST_S3=s3://KEY:SECRET@HOST:PORT?tls=false to a server of yours' >&2
  exit 1
}
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail 'this system has no apt-get or dpkg-deb'

mkdir -p "$cache"
work=$(mktemp -d "$cache/ceph-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/packages/partial" "$work/ceph"

# Only packages that this machine does not have are downloaded. No root is needed for that.
download() {
  # shellcheck disable=SC2086 # several packages are several words
  apt-get -o Dir::Cache::archives="$work/packages" -o Debug::NoLocking=1 -o APT::Sandbox::User= \
    -qq -y --no-install-recommends --download-only install $packages >"$work/log" 2>&1
}
if ! download; then
  apt-get update -qq >>"$work/log" 2>&1 || true
  download || fail "$(tail -n 1 "$work/log")"
fi
mkdir -p "$work/all/usr/bin" "$work/all/usr/lib" "$work/all/lib" "$work/ceph/bin"
for package in "$work"/packages/*.deb; do
  # None is left where all of them are installed.
  [ -e "$package" ] || continue
  dpkg-deb -x "$package" "$work/all" || fail "$package cannot be unpacked"
done
# The libraries, and the programs that test/support/ceph.ts calls. The other packages' programs (sudo, lvm) must not lie around.
mv "$work/all/usr/lib" "$work/ceph/lib"
cp -R "$work/all/lib/." "$work/ceph/lib/"
rm -rf "$work/ceph/lib/python3"
for program in ceph-mon ceph-osd radosgw radosgw-admin monmaptool osdmaptool; do
  if [ -e "$work/all/usr/bin/$program" ]; then mv "$work/all/usr/bin/$program" "$work/ceph/bin/"; fi
done
touch "$work/ceph/complete"
# Another call may have been quicker: then its folder stays.
if ! mv -T "$work/ceph" "$folder" 2>/dev/null && [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  mv -T "$work/ceph" "$folder"
fi
echo "$folder"
