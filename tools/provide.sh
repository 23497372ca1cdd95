#!/bin/sh
# What the tests need beyond npm and a POSIX shell.
#
# On Debian as root, what is missing is installed; elsewhere this says what is missing and how to get it. It ends with 1
# where a required thing is missing, and with CI=true where anything is. --list only says what it looks for.
set -eu

# name | need | how to tell that it is there | Debian packages | needed by | why
things='
setpriv | optional | command -v setpriv | util-linux | src/formats | ends a parsing process when the server that started it dies
chromium | optional | for name in chromium chromium-browser google-chrome; do command -v $name && exit; done; exit 1 | chromium | test/e2e | holds a conversation through the chat widget
postgres | required | command -v postgres && exit; ls /usr/lib/postgresql/*/bin/postgres | postgresql | test/contract | the second database: test/support/postgres.ts starts a server of its own
pgbouncer | required | command -v pgbouncer && exit; ls /usr/sbin/pgbouncer | pgbouncer | test/postgres | a connection pooler, which is refused in transaction mode
pdftotext | optional | command -v pdftotext | poppler-utils | bench/pdf.ts | what our reading order of PDFs is measured beside
'

trim() { echo "$1" | sed 's/^ *//; s/ *$//'; }

# Runs a function for each thing, with the columns as its arguments.
each() {
  while IFS='|' read -r name need check packages user why; do
    [ -n "$(trim "$name")" ] || continue
    "$1" "$(trim "$name")" "$(trim "$need")" "$(trim "$check")" "$(trim "$packages")" "$(trim "$user")" \
      "$(trim "$why")" </dev/null
  done <<EOF
$things
EOF
}

describe() { echo "$1 ($2, for $5; Debian package $4): $6"; }

is_there() { sh -c "$1" >/dev/null 2>&1; }

may_install() { [ -e /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

updated=no
install() {
  is_there "$3" && return
  if [ "$updated" = no ]; then
    apt-get update -qq || true
    updated=yes
  fi
  # shellcheck disable=SC2086 # several packages are several words
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $4 >/dev/null || true
}

missing=no
judge() {
  is_there "$3" && return
  echo "missing: $(describe "$@")" >&2
  if [ "$2" = required ] || [ "${CI:-}" = true ]; then missing=yes; fi
}

# Unpacked into a cache folder, not installed.
s3='s3 (optional, for test/; Debian packages ceph-mon ceph-osd radosgw): the S3 server of the tests'
provide_s3() {
  "$(dirname "$0")/provide-s3.sh" >/dev/null && return
  if [ "${CI:-}" = true ]; then missing=yes; fi
}

# The same.
pgvector='pgvector (required, for test/; Debian package postgresql-18-pgvector of sid): a PostgreSQL for the store card postgres'
provide_pgvector() {
  "$(dirname "$0")/provide-pgvector.sh" >/dev/null || missing=yes
}

if [ "${1:-}" = --list ]; then
  each describe
  echo "$s3"
  echo "$pgvector"
  exit
fi
if may_install; then each install; fi
each judge
provide_s3
provide_pgvector
if [ "$missing" = yes ]; then
  echo 'tools/provide.sh: install these with your system’s package manager, then try again' >&2
  exit 1
fi
