import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { savedFlow } from './flow.ts'
import { jsonObject } from './json.ts'
import { loadComparison } from './refresh.ts'

const EXAMPLE_TEXT = 'flow: Handbook\nnodes:\n  builtInEmbeddings_0:\n    node: builtInEmbeddings\n'

const text = z.string().register(docs, doc('The flow as YAML', EXAMPLE_TEXT))

/** The text of a stored flow. */
export const flowText = z.object({
  id: z.string().register(docs, common.flowId),
  slug: z.string().register(docs, common.slug),
  name: z.string().register(docs, common.flowName),
  revision: z.number().int().register(docs, common.revision),
  text,
})
export type FlowTextAnswer = z.output<typeof flowText>

/** A text that becomes a stored flow. */
export const savedText = z.looseObject({ text })

const missingValue = z.object({
  nodeId: z
    .string()
    .nullable()
    .register(docs, doc('The node; null for a setting of the flow', 'chatOpenAI_0')),
  input: z.string().register(docs, doc('The input', 'basepath')),
})

const missing = z
  .array(missingValue)
  .register(
    docs,
    doc(
      'Values that the text only names as !secret or !stored, and that this server does not have: enter them',
      [],
    ),
  )

export const savedFlowText = savedFlow.extend({ missing })
export type SavedFlowText = z.output<typeof savedFlowText>

/** A text that is read, or a drawing that is written as text. Nothing is stored. */
export const flowTextRequest = z
  .looseObject({
    text: z
      .string()
      .optional()
      .register(docs, doc('The flow as YAML; without it flowData or flow is written as text', EXAMPLE_TEXT)),
    flowData: z
      .union([z.string(), jsonObject])
      .optional()
      .register(
        docs,
        doc('The drawing that the text changes, or that is written as text', { nodes: [], edges: [] }),
      ),
    flow: z
      .string()
      .optional()
      .register(
        docs,
        doc('The id or slug of the stored flow that the text changes; instead of flowData', 'quickstart'),
      ),
    effects: z
      .boolean()
      .optional()
      .register(
        docs,
        doc('Whether the answer says what the text would do to the documents of the flow', false),
      ),
  })
  .refine(
    ({ text: given, flowData, flow }) =>
      given !== undefined || (flowData === undefined) !== (flow === undefined),
    'give a text, or one of flowData and flow',
  )

const lineNumber = (meaning: string, example: number) =>
  z.number().int().min(1).register(docs, doc(meaning, example))

const span = {
  line: lineNumber('The first line, from 1', 3),
  endLine: lineNumber('The last line', 3),
}

export const textProblem = z.object({
  ...span,
  column: lineNumber('The column in the first line, from 1', 5),
  severity: z
    .enum(['error', 'warning'])
    .register(
      docs,
      doc(
        'error: the text is not a flow, and nothing is made of it; warning: the flow cannot run so',
        'error',
      ),
    ),
  message: z
    .string()
    .register(
      docs,
      doc('What is wrong, in one sentence', 'There is no node fileLoder: did you mean fileLoader?'),
    ),
  nodeId: z
    .string()
    .nullable()
    .register(docs, doc('The node; null where it belongs to none', 'fileLoader_0')),
  input: z
    .string()
    .nullable()
    .register(docs, doc('The input; null where it belongs to the whole node', null)),
})
export type TextProblem = z.output<typeof textProblem>

export const textSpan = z.object({
  nodeId: z.string().register(docs, common.nodeId),
  input: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The path of an input in the text; null for the node, its line or its place', 'chunkSize'),
    ),
  ...span,
})
export type TextSpanAnswer = z.output<typeof textSpan>

export const textChange = z.object({
  kind: z.enum(['added', 'removed', 'changed', 'moved']).register(docs, doc('What became of it', 'changed')),
  nodeId: z
    .string()
    .nullable()
    .register(docs, doc('The node; null for the flow itself', 'sluiceTextSplitter_0')),
  input: z.string().nullable().register(docs, doc('The input; null for the whole node', 'chunkSize')),
  text: z.string().register(docs, doc('The change in words', 'Text Splitter: Chunk Size 1000 → 600')),
})
export type TextChangeAnswer = z.output<typeof textChange>

/** What was made of a text or a drawing. */
export const readFlowTextAnswer = z.object({
  text: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The flow in the one form of writing; null where the text has an error', EXAMPLE_TEXT),
    ),
  flow: z
    .looseObject({
      name: z.string().nullable().register(docs, doc('The name; null where the text has none', 'Handbook')),
      type: z.string().register(docs, common.flowType),
      category: z.string().nullable().register(docs, common.category),
      flowData: z.string().register(docs, doc('The drawing, as JSON text', '{"nodes":[],"edges":[]}')),
    })
    .nullable()
    .register(
      docs,
      doc(
        'The flow of the text with its settings, as POST /chatflows takes it; null where the text has an error',
        {
          name: 'Handbook',
          type: 'CHATFLOW',
          category: null,
          flowData: '{"nodes":[],"edges":[]}',
        },
      ),
    ),
  problems: z.array(textProblem).register(docs, doc('All problems, in the order of their lines', [])),
  spans: z
    .array(textSpan)
    .register(
      docs,
      doc('Where the nodes and their inputs are: in the given text, or in the text of the answer', [
        { nodeId: 'fileLoader_0', input: null, line: 3, endLine: 6 },
      ]),
    ),
  changes: z.array(textChange).register(docs, doc('What the text changes in flow or flowData', [])),
  missing,
  revision: z
    .number()
    .int()
    .nullable()
    .register(docs, doc('The newest revision of the stored flow; null without one', 3)),
  flowId: z
    .string()
    .nullable()
    .register(docs, doc('The id of the stored flow; null without one', EXAMPLE_ID)),
  index: loadComparison
    .nullable()
    .register(
      docs,
      doc(
        'Which documents would have been loaded with other settings; null unless effects are asked for',
        null,
      ),
    ),
})
export type ReadFlowTextAnswer = z.output<typeof readFlowTextAnswer>

export type FlowTextRequest = z.output<typeof flowTextRequest>
