import { z } from 'zod'
import { savedFlow } from './flow.ts'
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

/** The settings of a flow. */
export const settingsShape = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: z.string(),
  key: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  overrides: z.boolean(),
  originals: z.boolean(),
  rateLimit: z.string(),
  holds: z.object({
    sources: z.number(),
    chunks: z.number(),
    sharedWith: z.array(z.string()),
  }),
  nodes: z.array(nodeSettings),
})
export type SettingsAnswer = z.output<typeof settingsShape>

/** New values by name of setting. */
export const settingsPatch = z.object({ set: z.record(z.string(), jsonValue) })

/** A flow after a change of its settings, with the changes. */
export const changedFlow = z.object({
  flow: savedFlow,
  changes: z.array(
    z.object({ key: z.string(), node: z.string().optional(), from: jsonValue, to: jsonValue }),
  ),
})
export type ChangedFlow = z.output<typeof changedFlow>

/** A template for new flows. */
const template = z.object({
  name: z.string(),
  title: z.string(),
  about: z.string(),
  type: z.string(),
  nodes: z.array(z.object({ id: z.string(), name: z.string(), label: z.string() })),
  asks: z.array(z.string()),
  questions: z.array(z.object({ key: z.string(), label: z.string() })),
  credentialKinds: z.array(z.string()),
})
export const templateList = z.array(template)
export type TemplateAnswer = z.output<typeof template>
