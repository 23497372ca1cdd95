import type { ReaderItem } from '../../src/formats/reader.ts'

/** The text of an item that a reader yields: of a part its text, of a note its sentence, of what was left out its kind and count. */
export const itemText = (item: ReaderItem): string => {
  if ('note' in item) return item.note
  if ('dropped' in item) return `${item.dropped.count} ${item.dropped.kind}`
  return item.pageContent
}
