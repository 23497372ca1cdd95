# What tools/provide-opensearch.sh and its siblings share; they set `name`, `engine` (a folder beside this file) and `home` (its folder).
# shellcheck shell=sh
cache="${SLUICE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sluice}"
# Another version has another folder: it is found by what describes it.
# shellcheck disable=SC2154 # set by the caller
folder="$cache/$name-$(cat "$home"/* | sha256sum | cut -c1-12)"

fail() {
  echo "missing: $name for the tests: $1" >&2
  echo "tools/provide-$name.sh: $2" >&2
  exit 1
}

# Ends the script where the folder is complete, or only asked for.
answer() {
  if [ "${1:-}" = --where ] || [ -e "$folder/complete" ]; then
    echo "$folder"
    exit
  fi
}

begin() {
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/$name-XXXXXX")
  trap 'rm -rf "$work"' EXIT
}

# Copies the jars of the POM to a folder, and compares their hashes with jars.sha256.
maven_jars() {
  command -v mvn >/dev/null && command -v javac >/dev/null || fail 'there is no mvn or javac' "$1"
  mvn -B -q -f "$home/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DoutputDirectory="$work/jars" >"$work/log" 2>&1 || fail "$(grep -m 1 ERROR "$work/log")" "$1"
  (cd "$work/jars" && sha256sum -c --quiet "$home/jars.sha256") >"$work/log" 2>&1 || fail "$(head -n 1 "$work/log")" "$1"
  [ "$(ls "$work/jars" | wc -l)" = "$(wc -l <"$home/jars.sha256")" ] || fail 'Maven brings jars that jars.sha256 does not name' "$1"
}

# Moves the folder to its place. Another call may have been quicker: then its folder stays.
finish() {
  rm -f "$work/log"
  touch "$work/complete"
  chmod 755 "$work"
  if ! mv -T "$work" "$folder" 2>/dev/null && [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    mv -T "$work" "$folder"
  fi
  trap - EXIT
  rm -rf "$work"
  echo "$folder"
}
