import type { NewChunk } from '../../src/contract/ledger.ts'
import type { Metadata } from '../../src/contract/document.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { factsOf } from '../../src/stores/remote/metadata-facts.ts'
import { orderTermsOf } from '../../src/stores/remote/order-terms.ts'
import { chunkIdOf } from '../../src/documents/chunk-id.ts'
import { FIELDS } from '../../src/stores/remote/search-dialects.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { vectorOf } from '../support/clustered.ts'
import { languageText } from '../support/language.ts'

const CHARACTERS = 800
const PER_SOURCE = 100

/** A chunk for the store, and the same as a document of the index. */
export type BenchChunk = {
  chunk: NewChunk & { text: string }
  vector: Float32Array
  document: Record<string, unknown>
}

/** Of length 1, as most models give them. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((one) => one / length)
}

export function benchChunks(count: number): BenchChunk[] {
  return Array.from({ length: count }, (_, number) => {
    const text = languageText(number, CHARACTERS)
    const source = `file-${Math.floor(number / PER_SOURCE)}.txt`
    const line = (number % PER_SOURCE) * 10
    const values: Metadata = {
      loc: { lines: { from: line, to: line + 9 } },
      source,
      year: 2000 + (number % 25),
    }
    const metadata = canonicalJson(values)
    const chunk = { source, text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
    const vector = unit(vectorOf(number))
    return {
      chunk,
      vector,
      document: {
        [FIELDS.text]: text,
        [FIELDS.metadata]: values,
        [FIELDS.facts]: factsOf(values),
        [FIELDS.order]: orderTermsOf(values),
        [FIELDS.vector]: Array.from(vector),
        [FIELDS.id]: chunkIdOf(chunk),
      },
    }
  })
}
