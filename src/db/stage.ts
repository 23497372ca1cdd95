import type { Connection } from './connection.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

/** A chunk on its way in. `text` is absent where the index already holds the passage. */
export type StagedChunk = {
  source: string
  /** Fingerprint of the text. */
  hash: string
  text?: string
  /** JSON text. */
  metadata: string
  metadataHash: string
}

export type StageRequest = {
  indexId: number
  run: number
  chunks: StagedChunk[]
  dimensions: number
  /** The vectors of the chunks that bring a text, one after another. */
  vectors: Float32Array
  now: number
}

/** Writes chunk, passage, vector and text-index row together; nobody sees them before the run is published. */
export const stageChunks: Write<StageRequest, void> = {
  name: 'stageChunks',
  staged: true,
  run(connection, { indexId, run, chunks, dimensions, vectors, now }) {
    const sources = new Map<string, number>()
    let vector = 0
    for (const chunk of chunks) {
      let source = sources.get(chunk.source)
      if (source === undefined) {
        source = sourceId(connection, indexId, chunk.source, now)
        sources.set(chunk.source, source)
      }
      let passage = passageId(connection, indexId, chunk.hash)
      if (chunk.text !== undefined) {
        // Two runs may bring the same text at once: the first one's row serves both.
        passage ??= insertPassage(
          connection,
          indexId,
          chunk.hash,
          chunk.text,
          vectors.subarray(vector, vector + dimensions),
        )
        vector += dimensions
      }
      connection.run(
        'INSERT INTO chunks (source_id, passage_id, metadata, metadata_hash, born) VALUES (?, ?, ?, ?, ?)',
        source,
        passage!,
        chunk.metadata,
        chunk.metadataHash,
        run,
      )
    }
  },
}

function sourceId(connection: Connection, indexId: number, name: string, now: number): number {
  const known = connection.get<{ id: number }>(
    'SELECT id FROM sources WHERE index_id = ? AND name = ?',
    indexId,
    name,
  )
  if (known) return known.id
  return connection.get<{ id: number }>(
    'INSERT INTO sources (index_id, name, updated_at) VALUES (?, ?, ?) RETURNING id',
    indexId,
    name,
    now,
  )!.id
}

function passageId(connection: Connection, indexId: number, hash: string): number | undefined {
  return connection.get<{ id: number }>(
    'SELECT id FROM passages WHERE index_id = ? AND hash = ?',
    indexId,
    hash,
  )?.id
}

function insertPassage(
  connection: Connection,
  indexId: number,
  hash: string,
  text: string,
  vector: Float32Array,
): number {
  const { id } = connection.get<{ id: number }>(
    'INSERT INTO passages (index_id, hash, content) VALUES (?, ?, ?) RETURNING id',
    indexId,
    hash,
    text,
  )!
  connection.run(
    'INSERT INTO vectors (passage_id, vector) VALUES (?, ?)',
    id,
    new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  )
  textIndex.add(connection, indexId, id, text)
  return id
}
