import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { QUESTION_WATCHES } from '../contract/question-watch.ts'
import { savedFlow } from './flow.ts'
import { jsonValue } from './json.ts'

const setting = z.object({
  key: z.string().register(docs, doc('The name of the setting', 'chunkSize')),
  label: z.string().register(docs, common.inputLabel),
  type: z.string().register(docs, common.valueType),
  value: jsonValue.meta(doc('The value of the flow, or the default; null for a secret', 1000)),
  isDefault: z.boolean().register(docs, doc('Whether the value is the default')),
  overridable: z.boolean().register(docs, doc('Whether a request may override it', false)),
  options: z
    .array(z.string())
    .optional()
    .register(docs, doc('The possible values', ['hybrid', 'vector', 'keyword'])),
})

const nodeSettings = z.object({
  id: z.string().register(docs, common.nodeId),
  name: z.string().register(docs, common.nodeType),
  label: z.string().register(docs, common.nodeLabel),
  credential: z
    .string()
    .nullish()
    .register(docs, doc('The id of the credential of the node; null for none', EXAMPLE_ID)),
  credentialKinds: z
    .array(z.string())
    .optional()
    .register(docs, doc('The kinds of credential that the node can use', ['openAIApi'])),
  uploads: z.boolean().optional().register(docs, doc('Whether the node takes files of a request')),
  settings: z.array(setting).register(docs, doc('The inputs of the node and their values', [])),
})

/** The settings of a flow. */
export const settingsShape = z.object({
  id: z.string().register(docs, common.flowId),
  slug: z.string().register(docs, common.slug),
  name: z.string().register(docs, common.flowName),
  type: z.string().register(docs, common.flowType),
  key: z
    .object({
      id: z.string().register(docs, common.keyId),
      name: z.string().nullable().register(docs, common.keyName),
    })
    .nullable()
    .register(docs, common.flowKey),
  overrides: z.boolean().register(docs, doc('Whether requests may override inputs')),
  originals: z.boolean().register(docs, doc('Whether the flow keeps the files of its documents', false)),
  questions: z
    .enum(QUESTION_WATCHES)
    .register(
      docs,
      doc(
        'What the flow does with its questions: off, watch (asks them after each upsert), or block (also refuses a publish that fails one which passes)',
        'watch',
      ),
    ),
  rateLimit: z
    .string()
    .register(docs, doc('The most requests of one caller: requests/seconds, or off', '60/60')),
  holds: z
    .object({
      sources: z.number().register(docs, doc('The number of documents in the store', 3)),
      chunks: z.number().register(docs, doc('The number of chunks in the store', 12)),
      sharedWith: z.array(z.string()).register(docs, doc('Other flows that use the same store', [])),
    })
    .register(docs, doc('The contents of the store of the flow', { sources: 3, chunks: 12, sharedWith: [] })),
  nodes: z.array(nodeSettings).register(docs, doc('The nodes of the flow with their settings', [])),
})
export type SettingsAnswer = z.output<typeof settingsShape>

/** New values by name of setting. */
export const settingsPatch = z.object({
  set: z
    .record(z.string(), jsonValue)
    .register(docs, doc('The new values, by the names of the settings', { chunkSize: 500 })),
})

/** A flow after a change of its settings, with the changes. */
export const changedFlow = z.object({
  flow: savedFlow.meta(
    doc('The flow as it is stored now', { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook' }),
  ),
  changes: z
    .array(
      z.object({
        key: z.string().register(docs, doc('The name of the setting', 'chunkSize')),
        node: z
          .string()
          .optional()
          .register(
            docs,
            doc(
              'The label of the node; absent for a setting of the flow',
              'Recursive Character Text Splitter',
            ),
          ),
        from: jsonValue.meta(doc('The value before', 1000)),
        to: jsonValue.meta(doc('The value now', 500)),
      }),
    )
    .register(docs, doc('The settings whose value changed', [{ key: 'chunkSize', from: 1000, to: 500 }])),
})
export type ChangedFlow = z.output<typeof changedFlow>

/** A template for new flows. */
const template = z.object({
  name: z.string().register(docs, doc('The name of the template', 'documents')),
  title: z.string().register(docs, doc('The title of the template', 'Documents')),
  about: z.string().register(docs, doc('The purpose of the template', 'Answers questions from documents')),
  type: z.string().register(docs, doc('The type of the new flow', 'CHATFLOW')),
  nodes: z
    .array(
      z.object({
        id: z.string().register(docs, common.nodeId),
        name: z.string().register(docs, common.nodeType),
        label: z.string().register(docs, common.nodeLabel),
      }),
    )
    .register(
      docs,
      doc('The nodes of the template', [{ id: 'fileLoader_0', name: 'fileLoader', label: 'File Loader' }]),
    ),
  asks: z.array(z.string()).register(docs, doc('The settings that a new flow needs a value for', ['model'])),
  questions: z
    .array(
      z.object({
        key: z.string().register(docs, doc('The name of the setting', 'url')),
        label: z.string().register(docs, doc('The name of the setting as an editor shows it', 'URL')),
      }),
    )
    .register(docs, doc('The same settings with their labels', [{ key: 'url', label: 'URL' }])),
  credentialKinds: z
    .array(z.string())
    .register(docs, doc('The kinds of credential that the flow can use', ['openAIApi'])),
})
export const templateList = z.array(template)
export type TemplateAnswer = z.output<typeof template>
