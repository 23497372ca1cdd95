import { z } from 'zod'

/** How many rows were removed, as Flowise answers it; `raw` is of its database, and empty here. */
export const removalShape = z.object({ raw: z.array(z.string()).max(0), affected: z.number() })
