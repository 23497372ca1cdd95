import type { StorePart } from '../contract/card.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson, type JsonObject } from '../kit/json.ts'
import type { Readable } from './read-item.ts'

/** Equal for equal bytes that are read, cut and kept in the same way; undefined where that cannot be told. */
export function wholeFingerprint(
  { loader, item }: Readable,
  { part, options }: { part: StorePart; options: { addMetadata: JsonObject } },
): string | undefined {
  const { recordManager } = part
  if (item.fingerprint === undefined || (recordManager?.sourceIdKey ?? 'source') !== 'source')
    return undefined
  return fingerprint(
    canonicalJson([
      item.fingerprint,
      loader.id,
      loader.splitter?.id ?? null,
      options.addMetadata,
      recordManager?.cleanup ?? null,
    ]),
  )
}
