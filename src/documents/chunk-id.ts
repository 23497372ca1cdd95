import type { NewChunk } from '../contract/ledger.ts'
import { uuidOf } from '../kit/hash.ts'

/** The id of a chunk in answers and in separate engines: chunks of equal source, text and metadata have the same. */
export const chunkIdOf = ({
  source,
  hash,
  metadataHash,
}: Pick<NewChunk, 'source' | 'hash' | 'metadataHash'>): string =>
  uuidOf(`${source}\n${hash}\n${metadataHash}`)
