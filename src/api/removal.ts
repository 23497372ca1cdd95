import { z } from 'zod'

/** How many rows were removed, in the form of Flowise. `raw`, which comes from its database, is always empty here. */
export const removalShape = z.object({ raw: z.array(z.string()).max(0), affected: z.number() })
