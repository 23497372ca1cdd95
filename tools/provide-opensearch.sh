#!/bin/sh
# OpenSearch with k-NN for the tests: its jars from Maven's registry, with the hashes of engines/opensearch/jars.sha256, in a cache folder.
#
# Prints the folder. It ends with 1 and says what is missing where it cannot be had. --where only prints the folder.
# The tests can use another server instead: OPENSEARCH_URL=http://HOST:PORT (test/contract/opensearch.test.ts).
set -eu
name=opensearch
home=$(cd "$(dirname "$0")/engines/$name" && pwd)
. "$home/../unpack.sh"
answer "$@"

advice='install Maven and a JDK of version 17 or newer, or set OPENSEARCH_URL to a server of yours'
begin
maven_jars "$advice"
# The plugin is a zip file with the jars of its own.
(cd "$work/jars" && jar xf opensearch-knn-*.zip && rm opensearch-knn-*.zip)
javac -d "$work/classes" -cp "$work/jars/*" "$home/OpenSearchNode.java" >"$work/log" 2>&1 || fail "$(head -n 1 "$work/log")" "$advice"
finish
