import { removalShape } from '../api/removal.ts'

/** What Flowise's clients are told of a removal: `raw` is of its database, and empty with any. */
export const removed = (count: number) => ({ raw: [], affected: count })

export const removalAnswer = {
  description: 'How many went',
  shape: removalShape,
}
