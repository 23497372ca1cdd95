#!/bin/sh
# A PostgreSQL with pgvector in a folder of its own, for tests on a machine whose Debian has no pgvector that is new enough:
#
#   tools/pgvector.sh FOLDER
#
# It downloads the packages of Debian's unstable release from the archive that this machine uses, unpacks them with the libraries
# that they need, and lets their programs find these. Nothing of the system changes but the package patchelf. Runs as root on
# Debian; takes about 260 MB. Prints the folder of the programs, for SLUICE_POSTGRES_BIN.
set -eu

target=${1:?usage: tools/pgvector.sh FOLDER}
mkdir -p "$target"
target=$(realpath "$target")

programs() { echo "$target"/usr/lib/postgresql/*/bin; }
if [ -e "$target/.complete" ]; then
  programs
  exit
fi
command -v patchelf >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends patchelf >/dev/null

archive=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk '$2 == "main" && !/security/ { print $1; exit }')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive sid main" >"$work/sources.list"

# With an empty list of installed packages, apt downloads every library that is needed.
apart() {
  apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}
apart update >/dev/null
name=$(apt-cache -o Dir::State::lists="$work/lists" -o Dir::Etc::sourcelist="$work/sources.list" \
  -o Dir::Etc::sourceparts=/dev/null -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
  pkgnames postgresql- | grep -E '^postgresql-[0-9]+-pgvector$' | sort -V | tail -n 1)
apart install -y --no-install-recommends --download-only "$name" >/dev/null
for package in "$work"/cache/archives/*.deb; do dpkg -x "$package" "$target"; done

libraries=$(dirname "$(find "$target/usr/lib" -name 'libc.so.6' | head -n 1)")
loader=$(find "$libraries" -name 'ld-linux*.so.*' | head -n 1)
for program in initdb postgres; do
  patchelf --set-interpreter "$loader" "$(programs)/$program"
  patchelf --force-rpath --set-rpath "$libraries" "$(programs)/$program"
done
chmod -R a+rX "$target"
touch "$target/.complete"
programs
