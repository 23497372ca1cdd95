import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { jsonValue } from './json.ts'

/** A setting that differs: of what was loaded and of the flow now, or of two drawings. */
export const settingChange = z.object({
  nodeId: z.string().register(docs, doc('The id of the node in the drawing', 'sluiceTextSplitter_0')),
  input: z
    .string()
    .nullable()
    .register(docs, doc('The name of the input; null where the node itself is another', 'chunkSize')),
  label: z.string().register(docs, common.inputLabel),
  from: jsonValue.meta(doc('The value before; … for a long one or an address', 1000)),
  to: jsonValue.meta(doc('The value now; … for a long one or an address', 600)),
})
export type SettingChangeAnswer = z.output<typeof settingChange>
