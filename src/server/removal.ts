import { z } from 'zod'

/** What Flowise's clients are told of a removal: `raw` is of its database, and empty with any. */
export const removed = (count: number) => ({ raw: [], affected: count })

export const removalAnswer = {
  description: 'How many went',
  shape: z.object({ raw: z.array(z.string()).max(0), affected: z.number() }),
}
