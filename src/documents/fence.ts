import type { Metadata } from '../contract/document.ts'
import type { Fence, Pins } from '../contract/fence.ts'
import type { Filter } from '../contract/filter.ts'
import { sha256 } from '../kit/hash.ts'
import { canonicalJson } from '../kit/json.ts'

/** How many hexadecimal digits of SHA-256 the id of a fence has: 128 bits. */
export const FENCE_ID_LENGTH = 32

/** The fence of some pins; undefined where there are none. Equal pins in any order have the same. */
export function fenceOf(pins: Pins | undefined, mostChunks?: number): Fence | undefined {
  if (!pins || Object.keys(pins).length === 0) return undefined
  return { id: sha256(canonicalJson({ ...pins })).slice(0, FENCE_ID_LENGTH), pins, mostChunks }
}

/** The condition that a chunk has all pins, and meets a filter. */
export function fencedFilter({ pins }: Fence, filter?: Filter): Filter {
  const pinned = Object.entries(pins).map(([name, value]): Filter => ({ path: [name], op: 'eq', value }))
  return { op: 'and', all: filter ? [...pinned, filter] : pinned }
}

/** Metadata with the pins, which replace other values of the same keys. */
export const pinned = (metadata: Metadata, pins: Pins | undefined): Metadata =>
  pins ? { ...metadata, ...pins } : metadata
