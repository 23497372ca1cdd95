import { z } from 'zod'

export const versionShape = z.object({ version: z.string() })
export const aliveShape = z.object({ status: z.literal('ok') })
export const readyShape = z.object({
  status: z.literal('ready'),
  database: z.literal('being checked').optional(),
})
