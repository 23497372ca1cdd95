#!/bin/sh
# Elasticsearch for the tests: its jars from Maven's registry, with the hashes of engines/elasticsearch/jars.sha256, in a cache folder.
#
# Prints the folder. It ends with 1 and says what is missing where it cannot be had. --where only prints the folder.
# The tests can use another server instead: ELASTICSEARCH_URL=http://HOST:PORT (test/contract/elasticsearch.test.ts).
set -eu
name=elasticsearch
home=$(cd "$(dirname "$0")/engines/$name" && pwd)
. "$home/../unpack.sh"
answer "$@"

advice='install Maven and a JDK of version 17 or newer, or set ELASTICSEARCH_URL to a server of yours'
begin
maven_jars "$advice"
# It loads its transport as a module of its home; the server is on the module path without it.
mkdir -p "$work/modules/transport-netty4"
mv "$work"/jars/netty-*.jar "$work"/jars/transport-netty4-*.jar "$work/modules/transport-netty4/"
cp "$home/plugin-descriptor.properties" "$work/modules/transport-netty4/"
javac -d "$work/classes" -cp "$work/jars/*" "$home/ElasticsearchNode.java" >"$work/log" 2>&1 || fail "$(head -n 1 "$work/log")" "$advice"
finish
