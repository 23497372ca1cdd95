import { z } from 'zod'
import { jsonValue } from './json.ts'

const setting = z.object({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  value: jsonValue,
  isDefault: z.boolean(),
  overridable: z.boolean(),
  options: z.array(z.string()).optional(),
})

const nodeSettings = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  credential: z.string().nullish(),
  credentialKinds: z.array(z.string()).optional(),
  uploads: z.boolean().optional(),
  settings: z.array(setting),
})

/** What a flow is set to. */
export const settingsShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: z.string(),
  key: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  overrides: z.boolean(),
  rateLimit: z.string(),
  holds: z.object({
    sources: z.number(),
    chunks: z.number(),
    sharedWith: z.array(z.string()),
  }),
  nodes: z.array(nodeSettings),
})

/** Values by the names of settings. */
export const settingsPatch = z.object({ set: z.record(z.string(), jsonValue) })

/** What a flow can begin as. */
export const templateList = z.array(
  z.object({
    name: z.string(),
    title: z.string(),
    about: z.string(),
    type: z.string(),
    nodes: z.array(z.object({ id: z.string(), name: z.string(), label: z.string() })),
    asks: z.array(z.string()),
    credentialKinds: z.array(z.string()),
  }),
)
