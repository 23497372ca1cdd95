import type { DroppedKind } from '../contract/file-parser.ts'
import type { Note, ReaderItem, ReaderOutput } from './reader.ts'

/** How many notes, and how many places of each kind, are told; of the others only their number. */
const FEW = 20

/**
 * Passes what a reader yields, with few of its notes and of the places of what it left out: a file may have thousands
 * of attachments, or of mails. The others are counted at the end.
 */
export async function* fewTold(items: ReaderOutput): AsyncGenerator<ReaderItem> {
  let notes = 0
  let passing: Pick<Note, 'passing'> = {}
  const told = new Map<DroppedKind, number>()
  const others = new Map<DroppedKind, number>()
  for await (const item of items) {
    if ('note' in item) {
      if (++notes <= FEW) yield item
      else if (item.passing) passing = { passing: true }
    } else if ('dropped' in item) {
      const { kind, count } = item.dropped
      const before = told.get(kind) ?? 0
      told.set(kind, before + 1)
      if (before < FEW) yield item
      else others.set(kind, (others.get(kind) ?? 0) + count)
    } else yield item
  }
  for (const [kind, count] of others) yield { dropped: { kind, count } }
  if (notes > FEW) yield { note: `and ${notes - FEW} more notes like these`, ...passing }
}
