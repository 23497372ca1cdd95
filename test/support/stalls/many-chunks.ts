import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { startScriptedEngine } from '../engines/scripted-engine.ts'
import { qdrantProtocol } from '../engines/scripted-qdrant.ts'
import { drawFlow } from '../flow-drawing.ts'
import { startWatched, type WatchedServer } from './watched-server.ts'

const SLUG = 'large'
const SOURCES = 5000
const CHUNKS_A_SOURCE = 40
const SETTINGS = { EGRESS_ALLOW: '127.0.0.1' }

async function call(server: WatchedServer, address: string, body: object | FormData): Promise<unknown> {
  const isForm = body instanceof FormData
  const response = await fetch(`${server.url}/api/v1/${address}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.adminKey}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${address}: ${text}`)
  return JSON.parse(text)
}

/** Gives the namespace 5,000 more sources, each with 40 chunks of their own texts, which no search finds. */
function multiply(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TEMP TABLE numbers (n INTEGER PRIMARY KEY);
    INSERT INTO numbers WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted LIMIT ${SOURCES})
      SELECT n FROM counted;
    CREATE TEMP TABLE samples AS SELECT sources.index_id, max(chunks.id) AS chunk FROM sources
      JOIN chunks ON source_id = sources.id GROUP BY sources.index_id;
    BEGIN;
    INSERT INTO sources (index_id, name, updated_at, chunks)
      SELECT index_id, 'copy-' || n || '.txt', 1, ${CHUNKS_A_SOURCE} FROM samples CROSS JOIN numbers;
    INSERT INTO passages (id, index_id, hash, content)
      SELECT sources.id * 1000 + n, index_id, name || n, 'A text.' FROM sources JOIN numbers ON n <= ${CHUNKS_A_SOURCE}
      WHERE name LIKE 'copy-%';
    INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born, point)
      SELECT sources.id, sources.id * 1000 + n, hash, metadata, metadata_hash, born, NULL FROM sources
      JOIN samples USING (index_id) JOIN chunks ON chunks.id = chunk JOIN numbers ON n <= ${CHUNKS_A_SOURCE}
      WHERE sources.name LIKE 'copy-%';
    UPDATE indexes SET chunks = chunks + ${SOURCES * CHUNKS_A_SOURCE};
    COMMIT`)
  database.close()
}

/**
 * A server with a flow of 200,000 chunks, most of which are rows in its database alone. The vectors are in an engine in another
 * server, so that the ledger itself is asked which fields there are.
 */
export async function startWithManyChunks(directory: string): Promise<WatchedServer> {
  const engine = await startScriptedEngine(qdrantProtocol())
  const first = await startWatched(directory, { settings: SETTINGS })
  const drawing = drawFlow({
    slug: SLUG,
    overridable: ['files', 'metadata'],
    storeNode: 'qdrant',
    store: { qdrantServerUrl: engine.url, qdrantCollection: 'large' },
  })
  await call(first, 'chatflows', drawing)
  const form = new FormData()
  form.append('files', new File(['The otter swims in the river.'], 'first.txt'))
  form.append(
    'metadata',
    JSON.stringify({ animal: 'otter', facts: { river: 'Elbe', words: 'long '.repeat(40) } }),
  )
  await call(first, `vector/upsert/${SLUG}`, form)
  await first.stop()
  multiply(path.join(directory, 'sluice.db'))
  const server = await startWatched(directory, { settings: SETTINGS })
  return {
    ...server,
    async stop() {
      await server.stop()
      engine.close()
    },
  }
}

/** A request about all chunks of the flow. */
export type LargeRequest = { name: string; method?: string; path: string; body?: object }

const NO_CHUNK = { nothing: 'has it' }

export const LARGE_REQUESTS: readonly LargeRequest[] = [
  {
    name: 'a removal by a filter that no chunk meets',
    method: 'DELETE',
    path: `vector/upsert/${SLUG}`,
    body: { filter: NO_CHUNK },
  },
  {
    name: 'a query with a filter on a field that no chunk has',
    method: 'POST',
    path: `vector/query/${SLUG}`,
    body: { query: 'otter', filter: NO_CHUNK },
  },
  { name: 'a page of all chunks', path: `vector/chunks/${SLUG}?limit=100&page=1000` },
  { name: 'the last page of sources', path: `vector/sources/${SLUG}?limit=100&page=50&sort=size` },
  { name: 'the metadata fields', path: `vector/fields/${SLUG}` },
]
