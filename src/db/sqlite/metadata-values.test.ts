import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../../contract/document.ts'
import { metadataValueAt } from '../../vector/matches.ts'
import { Connection } from './connection.ts'
import { valuesBetween } from './metadata-values.ts'
import { FIRST_SCHEMA } from './schema.ts'

/** A database with an index, a source and one published run, with a chunk for each text of metadata. */
function databaseWith(metadata: readonly string[]): Connection {
  const connection = new Connection(':memory:')
  connection.exec(FIRST_SCHEMA)
  connection.exec(`INSERT INTO indexes (id, namespace, embedder, created_at) VALUES (1, 'n', 'e', 0);
    INSERT INTO runs (seq, index_id, state, first_chunk, started_at) VALUES (1, 1, 'published', 1, 0);
    INSERT INTO sources (id, index_id, name, updated_at) VALUES (1, 1, 's', 0);
    INSERT INTO passages (id, index_id, hash, content) VALUES (1, 1, 'h', 'text')`)
  for (const text of metadata)
    connection.run(
      `INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born) VALUES (1, 1, 'h', ?, 'm', 1)`,
      text,
    )
  return connection
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('valuesBetween() takes the values that metadataValueAt() finds, for simple and other keys, and deep metadata', () => {
  const metadata = [
    '{}',
    '{"a":null,"b":{"c":"é \\u0007 \\"x\\""},"a.b":1}',
    '{"a":{"b":[1,{"z":1,"y":2}]},"b":[{"c":1}],"ключ":true}',
    '{"a":{"b":false},"a.b":"the key with the dot","b.c":{"d":0}}',
    '{"x\\"y":1.50,"a":-0.5,"b":{"c":{"d":12345678901234567890}}}',
    '{"toString":"own","a":"","b":{}}',
  ]
  const simple = [['a'], ['a', 'b'], ['b', 'c'], ['b', 'c', 'd'], ['toString'], ['b', '0', 'c']]
  const other = [['ключ'], ['x"y'], ['a', '']]
  for (const texts of [metadata, [...metadata, `{"a":${nested(1500)},"b":{"c":3}}`]])
    for (const paths of [simple, [...simple, ...other]]) {
      const connection = databaseWith(texts)
      const found = valuesBetween(connection, { indexId: 1, run: 1, paths }, { after: 0, upTo: 100 })
      assert.deepEqual(
        found.map((one) => [one.chunk, one.passageId]),
        texts.map((_, at) => [at + 1, 1]),
      )
      for (const [at, one] of found.entries())
        for (const [place, path] of paths.entries()) {
          const text = one.texts[place]!
          assert.equal(
            text === null ? undefined : JSON.stringify(JSON.parse(text)),
            JSON.stringify(metadataValueAt(JSON.parse(texts[at]!) as Metadata, path)),
            `${texts[at]!.slice(0, 60)} at ${path.join('.')}`,
          )
        }
      connection.close()
    }
})

test('valuesBetween() fails on damaged metadata', () => {
  const connection = databaseWith(['{"a":1}', '{"a":'])
  const paths = [['a']]
  assert.throws(
    () => valuesBetween(connection, { indexId: 1, run: 1, paths }, { after: 0, upTo: 9 }),
    SyntaxError,
  )
  connection.close()
})
