import type { LedgerChunk } from '../../contract/ledger.ts'
import type { Connection } from './connection.ts'
import { checksum } from '../checksum.ts'
import { passageHashes } from './passage-hashes.ts'
import { textIndex } from './text-index.ts'
import type { Write } from './write.ts'

export type StageRequest = {
  indexId: number
  run: number
  chunks: LedgerChunk[]
  /** For each chunk 1 if the index certainly had no passage with its text before these chunks. */
  isNew?: Uint8Array
  /** A separate engine searches words: none are stored here. */
  engineWords?: boolean
  dimensions: number
  /** The vectors of the chunks that bring a text, one after another; absent where a separate engine has them. */
  vectors?: Float32Array | undefined
  now: number
}

/** Writes chunks and passages, with terms and with vectors where they are kept here; readers see them after the publication. */
export const stageChunks: Write<StageRequest, void> = {
  name: 'stageChunks',
  grows: true,
  staged: true,
  run(connection, { indexId, run, chunks, isNew, engineWords = false, dimensions, vectors, now }) {
    const write = passageWriter(connection, indexId, engineWords)
    const chunk = connection.prepare(
      'INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born, point, text_start, text_end) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const sources = new Map<string, number>()
    let vector = 0
    for (const [at, given] of chunks.entries()) {
      const { source, hash, text, metadata, metadataHash, range, pointId = null } = given
      if (!sources.has(source)) sources.set(source, sourceId(connection, indexId, source, now))
      let passage: number | undefined
      if (text !== undefined) {
        const numbers = vectors?.subarray(vector, vector + dimensions)
        passage = write.passage({ hash, text, isNew: isNew?.[at] === 1, numbers })
        vector += dimensions
      }
      const passageId = passage ?? write.passageId(hash)
      const [start, end] = range ? [range.start, range.end] : [null, null]
      chunk.run(sources.get(source)!, passageId, hash, metadata, metadataHash, run, pointId, start, end)
    }
    write.end()
    if (!engineWords) textIndex.mergeSmall(connection, indexId)
  },
}

type NewPassage = { hash: string; text: string; isNew: boolean; numbers: Float32Array | undefined }

/** The statements for passages, prepared once a batch. */
function passageWriter(connection: Connection, indexId: number, engineWords: boolean) {
  const hashes = passageHashes(connection, indexId)
  const passage = connection.prepare('INSERT INTO passages (id, index_id, hash, content) VALUES (?, ?, ?, ?)')
  const vector = connection.prepare('INSERT INTO vectors (passage_id, vector, checksum) VALUES (?, ?, ?)')
  const words = engineWords ? undefined : textIndex.writer(connection, indexId)
  const firstId = textIndex.freeId(connection)
  let nextId = firstId
  return {
    passageId: (hash: string) => hashes.find(hash)!,

    /** Undefined where the text is there already: several chunks of a batch may have one text. */
    passage({ hash, text, isNew, numbers }: NewPassage): number | undefined {
      if (!hashes.add(hash, nextId, isNew)) return undefined
      passage.run(nextId, indexId, hash, text)
      words?.add(nextId, text)
      if (!numbers) return nextId++
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
      vector.run(nextId, bytes, checksum(bytes))
      return nextId++
    },

    end(): void {
      words?.end()
      hashes.tend(firstId, nextId)
    },
  }
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
