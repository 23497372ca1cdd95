import { z } from 'zod'
import { jsonValue } from './json.ts'

const possible = z.object({ possible: z.boolean(), reason: z.string().nullable() })

/** Why an override has no effect. */
export const OVERRIDE_REFUSALS = ['overrides_off', 'not_enabled', 'not_by_star', 'not_used'] as const

const refusal = z.enum(OVERRIDE_REFUSALS).nullable()

const input = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  guard: z.enum(['credential', 'url', 'path', 'table']).nullable(),
  enabled: z.boolean(),
  reason: refusal,
  value: jsonValue,
})

const option = z.object({ name: z.string(), enabled: z.boolean(), reason: refusal })

/** The requests that a flow takes, and which inputs they may override. */
export const flowRequestsShape = z.object({
  id: z.string(),
  slug: z.string(),
  revision: z.number().int(),
  key: z.object({ id: z.string(), name: z.string().nullable(), scopes: z.array(z.string()) }).nullable(),
  upsert: z.object({
    stores: z.array(z.object({ id: z.string(), label: z.string() })),
    files: possible,
    json: possible,
  }),
  query: possible,
  prediction: possible.extend({ streams: z.boolean() }),
  overrides: z.boolean(),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      label: z.string(),
      requests: z.array(z.enum(['upsert', 'query', 'prediction'])),
      inputs: z.array(input),
    }),
  ),
  options: z.array(option),
  variables: z.array(option),
})
export type FlowRequestsAnswer = z.output<typeof flowRequestsShape>
