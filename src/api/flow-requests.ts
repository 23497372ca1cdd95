import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { jsonValue } from './json.ts'

const possible = z.object({
  possible: z.boolean().register(docs, doc('Whether the flow takes this request')),
  reason: z
    .string()
    .nullable()
    .register(docs, doc('Why it does not; null if it does', 'File uploads are not enabled for this flow')),
})

/** Why an override has no effect. */
export const OVERRIDE_REFUSALS = ['overrides_off', 'not_enabled', 'not_by_star', 'not_used'] as const

const refusal = z.enum(OVERRIDE_REFUSALS).nullable()

const input = z.object({
  name: z.string().register(docs, doc('The name of the input in flow files', 'chunkSize')),
  label: z.string().register(docs, common.inputLabel),
  type: z.string().register(docs, common.valueType),
  guard: z
    .enum(['credential', 'url', 'path', 'table'])
    .nullable()
    .register(
      docs,
      doc('The permission of its own that the input needs to be overridden; null for none', 'url'),
    ),
  enabled: z.boolean().register(docs, doc('Whether a request may override it')),
  reason: refusal.meta(
    doc(
      'Why not: overrides_off, not_enabled, not_by_star (only * enables it, which is not enough for a guarded input), not_used (the node takes part in no request)',
      null,
    ),
  ),
  value: jsonValue.meta(doc('The value of the flow; null for secrets and files', 1000)),
})

const option = z.object({
  name: z.string().register(docs, doc('The name of the option or variable', 'dryRun')),
  enabled: z.boolean().register(docs, doc('Whether a request may override it')),
  reason: refusal.meta(doc('Why not; null if it may', null)),
})

/** The requests that a flow takes, and which inputs they may override. */
export const flowRequestsShape = z.object({
  id: z.string().register(docs, common.flowId),
  slug: z.string().register(docs, common.slug),
  revision: z.number().int().register(docs, common.revision),
  key: z
    .object({
      id: z.string().register(docs, common.keyId),
      name: z.string().nullable().register(docs, common.keyName),
      scopes: z
        .array(z.string())
        .register(docs, doc('What the key allows: upsert, query, predict, manage', ['query', 'predict'])),
    })
    .nullable()
    .register(docs, common.flowKey),
  upsert: z
    .object({
      stores: z
        .array(
          z.object({
            id: z.string().register(docs, doc('The id of the node in the drawing', 'builtInVectorStore_0')),
            label: z
              .string()
              .register(docs, doc('The label of the node in the drawing', 'Built-in Vector Store')),
          }),
        )
        .register(
          docs,
          doc('The vector stores of the flow; with several, an upsert names one as stopNodeId', []),
        ),
      files: possible.meta(doc('Whether it takes files in a form', { possible: true, reason: null })),
      json: possible.meta(
        doc('Whether it takes JSON: its loaders find their documents by themselves', {
          possible: true,
          reason: null,
        }),
      ),
    })
    .register(docs, doc('Whether the flow takes upserts, as a form with files and as JSON', {})),
  query: possible.meta(doc('Whether it takes queries', { possible: true, reason: null })),
  prediction: possible
    .extend({ streams: z.boolean().register(docs, doc('Whether the tokens of an answer can be streamed')) })
    .register(docs, doc('Whether it takes questions', { possible: true, reason: null, streams: true })),
  overrides: z.boolean().register(docs, doc('Whether requests may override inputs')),
  nodes: z
    .array(
      z.object({
        id: z.string().register(docs, common.nodeId),
        name: z.string().register(docs, common.nodeType),
        label: z.string().register(docs, common.nodeLabel),
        requests: z
          .array(z.enum(['upsert', 'query', 'prediction']))
          .register(
            docs,
            doc('The requests that the node takes part in: upsert, query, prediction', ['upsert']),
          ),
        inputs: z.array(input).register(docs, doc('The inputs of the node', [])),
      }),
    )
    .register(docs, doc('The nodes of the flow with the inputs that a request may override', [])),
  options: z.array(option).register(docs, doc('Overrides that belong to no node', [])),
  variables: z.array(option).register(docs, doc('The variables of the workspace, which vars overrides', [])),
})
export type FlowRequestsAnswer = z.output<typeof flowRequestsShape>
