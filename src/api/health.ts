import { z } from 'zod'
import { DEPENDENCY_STATES } from '../contract/dependency.ts'
import { failureShape } from './failure.ts'

export const versionShape = z.object({ version: z.string() })
export const aliveShape = z.object({ status: z.literal('ok') })

const dependencies = z.array(
  z.object({ name: z.string(), state: z.enum(DEPENDENCY_STATES), reason: z.string().exactOptional() }),
)

export const readyShape = z.object({
  status: z.literal('ready'),
  database: z.literal('being checked').optional(),
  degraded: z.array(z.string()).exactOptional(),
  dependencies,
})

export const notReadyShape = failureShape.extend({ dependencies })
