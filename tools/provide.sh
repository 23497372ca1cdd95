#!/bin/sh
# What the tests need beyond npm and a POSIX shell. The first step of `npm test`.
#
# On Debian as root, what is missing is installed, and said; elsewhere this says what is missing. Tests that need a missing thing are
# skipped. It ends with 1 only with CI=true, where this machine could have had the thing. --list only says what it looks for.
set -eu

# name | how to tell that it is there | Debian packages | needed by | why
things='
setpriv | command -v setpriv | util-linux | src/formats | ends a parsing process when the server that started it dies
chromium | for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $name && exit; done; exit 1 | chromium-headless-shell | test/studio, test/e2e | uses the studio and the chat widget as a person does
postgres | [ -n "${SLUICE_POSTGRES_BIN:-}" ] && exit; command -v postgres && exit; ls /usr/lib/postgresql/*/bin/postgres | postgresql | test/contract | the second database: test/support/postgres.ts starts a server of its own
mariadb | ls /usr/sbin/mariadbd | mariadb-server-core | test/api | a database server that a loader reads: test/support/mariadb.ts starts one of its own
pgbouncer | command -v pgbouncer && exit; ls /usr/sbin/pgbouncer | pgbouncer | test/postgres | a connection pooler, which is refused in transaction mode
curl | command -v curl && command -v bash | curl bash | test/studio | runs the requests that the studio shows
python | command -v python3 | python3-minimal | test/studio | runs the same requests in Python
tesseract | command -v tesseract && ls /usr/share/tesseract-ocr/*/tessdata/deu.traineddata | tesseract-ocr tesseract-ocr-deu | test/api | reads scanned pages of PDFs
promtool | command -v promtool | prometheus | test/deploy | tests the alerts of deploy/prometheus
java | command -v javac && command -v mvn | default-jdk-headless maven | test/contract | OpenSearch and Elasticsearch: tools/provide-opensearch.sh and provide-elasticsearch.sh
pdftotext | command -v pdftotext | poppler-utils | bench/pdf.ts | what our reading order of PDFs is measured beside
'

trim() { echo "$1" | sed 's/^ *//; s/ *$//'; }

# Runs a function for each thing, with the columns as its arguments.
each() {
  while IFS='|' read -r name check packages user why; do
    [ -n "$(trim "$name")" ] || continue
    "$1" "$(trim "$name")" "$(trim "$check")" "$(trim "$packages")" "$(trim "$user")" "$(trim "$why")" </dev/null
  done <<EOF
$things
EOF
}

describe() { echo "$1 (for $4; Debian package $3): $5"; }

is_there() { sh -c "$1" >/dev/null 2>&1; }

may_install() { [ -e /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# Without a network an answer comes soon.
apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" >/dev/null; }

updated=no
install() {
  is_there "$2" && return
  echo "installing for the tests: Debian package $3" >&2
  if [ "$updated" = no ]; then
    apt update || true
    updated=yes
  fi
  # shellcheck disable=SC2086 # several packages are several words
  apt install -y --no-install-recommends $3 || true
}

missing=no
judge() {
  is_there "$2" && return
  # The one with pgvector serves all tests.
  if [ "$1" = postgres ] && [ -e "$pgvector_programs/initdb" ]; then return; fi
  missing=yes
  echo "missing, its tests are skipped: $(describe "$@")" >&2
}

# Unpacked into a cache folder, not installed.
s3='s3 (for test/; Debian packages ceph-mon ceph-osd radosgw): the S3 server of the tests'
pgvector='pgvector (for test/; Debian package postgresql-18-pgvector of sid): a PostgreSQL for the store card postgres'
opensearch='opensearch (for test/; jars of Maven, needs java): a node of OpenSearch with k-NN'
elasticsearch='elasticsearch (for test/; jars of Maven, needs java): a node of Elasticsearch'
chroma='chroma (for test/; an npm package): a server of Chroma'
unpack() {
  [ -e "$("$1" --where)/$2" ] && return
  echo "unpacking for the tests: $3" >&2
  "$1" >/dev/null || missing=yes
}

if [ "${1:-}" = --list ]; then
  each describe
  echo "$s3"
  echo "$pgvector"
  echo "$opensearch"
  echo "$elasticsearch"
  echo "$chroma"
  exit
fi
here=$(dirname "$0")
if may_install; then each install; fi
[ -n "${SLUICE_TEST_S3:-}" ] || unpack "$here/provide-s3.sh" complete "$s3"
[ -n "${SLUICE_TEST_PGVECTOR:-}" ] || unpack "$here/provide-pgvector.sh" initdb "$pgvector"
[ -n "${OPENSEARCH_URL:-}" ] || unpack "$here/provide-opensearch.sh" complete "$opensearch"
[ -n "${ELASTICSEARCH_URL:-}" ] || unpack "$here/provide-elasticsearch.sh" complete "$elasticsearch"
[ -n "${CHROMA_URL:-}" ] || unpack "$here/provide-chroma.sh" complete "$chroma"
pgvector_programs=${SLUICE_TEST_PGVECTOR:-$("$here/provide-pgvector.sh" --where)}
each judge
if [ "$missing" = yes ] && [ "${CI:-}" = true ] && may_install; then
  echo 'tools/provide.sh: with CI=true on Debian, all of these have to be there' >&2
  exit 1
fi
