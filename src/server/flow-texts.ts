import type { FlowTextRequest, ReadFlowTextAnswer } from '../api/flow-text.ts'
import type { FlowPatch } from '../api/flow.ts'
import { JSON_COLUMNS, type FlowRow } from '../contract/flow-store.ts'
import { findFlow, flowSource } from '../flow/find-flow.ts'
import { refuseLargeFlow } from '../flow/flow-size.ts'
import {
  drawingOf,
  flowOfText,
  modelOfFlow,
  type ReadFlow,
  readFlowText,
  type TextFlow,
  textOfDrawing,
  textOfFlow,
} from '../flow/text/flow-text.ts'
import { readFlowModel, type TextSpan } from '../flow/text/read-text.ts'
import { textChanges } from '../flow/text/text-changes.ts'
import { mistakesInText, problemsInText, type ProblemInText } from '../flow/text/text-problems.ts'
import { SluiceError } from '../kit/errors.ts'
import { canonicalJson, isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { checkDrawing } from './check-flow.ts'
import { compareFlowLoads } from './compare-flow-loads.ts'
import type { Platform } from './platform.ts'

/*
 * What the routes of flows as text do. It is loaded with the first text: the parser of YAML is a twentieth of all that a server loads.
 */

/** The text of a stored flow, as it is written into a folder. */
export const textOfStored = ({ catalog }: Platform, flow: FlowRow): string => textOfFlow(flow, catalog)

/**
 * What a text changes in a stored flow, and which of its values it does not say.
 *
 * @throws SluiceError `flow_text_invalid` with the first mistake
 */
export function patchOfText(
  { catalog }: Platform,
  text: string,
  stored: FlowRow,
): { patch: FlowPatch; missing: ReadFlow['missing'] } {
  const read = readFlowText(text, catalog, stored)
  if (!read.flow) throw refusalOf(read.mistakes)
  return { patch: patchOf(read.flow, stored), missing: read.flow.missing }
}

/** Reads a text, or writes a drawing as text; nothing is stored. */
export async function readOrWriteText(
  platform: Platform,
  body: FlowTextRequest,
): Promise<ReadFlowTextAnswer> {
  const { catalog, flows } = platform
  const stored = body.flow === undefined ? undefined : await findFlow(flows, body.flow)
  const drawn = body.flowData === undefined ? undefined : readDrawing(body.flowData)
  const known = stored ?? (drawn && draftFlow(drawn))
  const about = { revision: stored?.revision ?? null, flowId: stored?.id ?? null }
  if (body.text === undefined) return { ...about, ...(await written(platform, known!, drawn)) }
  const read = readFlowText(body.text, catalog, known)
  if (!read.flow)
    return {
      ...{ ...about, ...NOTHING_READ },
      problems: mistakesInText(read.mistakes, read.spans),
      spans: read.spans.map(presentSpan),
    }
  return {
    ...about,
    ...(await readAnswer(platform, body.text, read.flow, {
      spans: read.spans,
      known,
      stored,
      effects: body.effects === true,
    })),
  }
}

async function written(platform: Platform, flow: TextFlow | FlowRow, drawing: JsonObject | undefined) {
  const { catalog } = platform
  const text = drawing ? textOfDrawing(drawing, catalog) : textOfFlow(flow, catalog)
  const { spans } = readFlowModel(text, catalog, modelOfFlow(flow, catalog))
  return {
    ...NOTHING_READ,
    text,
    flow: { name: flow.name, type: flow.type, category: null, flowData: flow.flowData },
    problems: await problemsAt(platform, flow.flowData, spans, text, 'id' in flow ? flow.id : 'draft'),
    spans: spans.map(presentSpan),
  }
}

async function readAnswer(
  platform: Platform,
  text: string,
  flow: ReadFlow,
  {
    spans,
    known,
    stored,
    effects,
  }: {
    spans: readonly TextSpan[]
    known: TextFlow | undefined
    stored: FlowRow | undefined
    effects: boolean
  },
): Promise<Omit<ReadFlowTextAnswer, 'revision' | 'flowId'>> {
  const { catalog } = platform
  refuseLargeFlow(flow.drawing)
  const now = flowOfText(flow, known?.name ?? '')
  if (known && isSameDrawing(now.flowData, known.flowData)) now.flowData = known.flowData
  // A text beside a drawing says nothing of the flow around it.
  const alone = known !== undefined && stored === undefined
  const after = modelOfFlow(
    alone ? { ...now, name: known.name, type: known.type, config: known.config } : now,
    catalog,
  )
  return {
    text: alone ? textOfDrawing(flow.drawing, catalog) : textOfFlow(now, catalog),
    flow: {
      name: flow.name ?? null,
      type: flow.type,
      category: flow.category,
      flowData: now.flowData,
      ...flow.settings,
    },
    problems: [
      ...(alone && saysMore(flow) ? [ONLY_THE_DRAWING] : []),
      ...(await problemsAt(platform, now.flowData, spans, text, stored?.id ?? 'draft')),
    ],
    spans: spans.map(presentSpan),
    changes: known ? textChanges(modelOfFlow(known, catalog), after, catalog) : [],
    missing: flow.missing,
    index:
      stored && effects
        ? await compareFlowLoads(
            platform,
            { ...flowSource(stored), flowData: now.flowData },
            { fence: undefined, stopNodeId: undefined },
          )
        : null,
  }
}

async function problemsAt(
  platform: Platform,
  flowData: string,
  spans: readonly TextSpan[],
  text: string,
  flowId: string,
): Promise<ProblemInText[]> {
  const { problems } = await checkDrawing(platform, { flowData, flowId })
  return problemsInText(problems, spans, text)
}

/** Whether a text says something of the flow around its drawing. */
const saysMore = ({ name, category, settings }: ReadFlow): boolean =>
  name !== undefined || category !== null || Object.keys(settings).length > 0

const ONLY_THE_DRAWING: ProblemInText = {
  ...{ line: 1, column: 1, endLine: 1, severity: 'warning', nodeId: null, input: null },
  message: 'Name, category and settings are not changed here: this is the text of the drawing alone',
}

const NOTHING_READ = { text: null, flow: null, changes: [], missing: [], index: null }

const presentSpan = ({ nodeId, input, line, endLine }: TextSpan) => ({ nodeId, input, line, endLine })

/** A drawing that is not stored, as a flow. */
const draftFlow = (drawing: JsonObject): TextFlow => ({
  name: '',
  type: 'CHATFLOW',
  flowData: JSON.stringify(drawing),
  config: {},
})

/** @throws SluiceError `flow_invalid` */
function readDrawing(flowData: string | JsonObject): JsonObject {
  const drawing =
    typeof flowData === 'string' ? (flowData.trim() === '' ? drawingOf('') : parseJson(flowData)) : flowData
  refuseLargeFlow(drawing)
  if (!isObject(drawing)) throw new SluiceError('flow_invalid', { reason: 'it is not a JSON object' })
  return drawing as JsonObject
}

const isSameDrawing = (a: string, b: string): boolean =>
  canonicalJson(drawingOf(a)) === canonicalJson(drawingOf(b))

/** What a text changes in a stored flow; what stays the same is left out, byte for byte. */
function patchOf(flow: ReadFlow, stored: FlowRow): FlowPatch {
  const flowData = JSON.stringify(flow.drawing)
  const settings = JSON_COLUMNS.flatMap((name) => {
    const [was, is] = [stored.config[name] ?? null, flow.settings[name] ?? null]
    return canonicalJson(was) === canonicalJson(is) ? [] : [[name, is]]
  })
  return {
    ...(flow.name === undefined ? {} : { name: flow.name }),
    ...(isSameDrawing(flowData, stored.flowData) ? {} : { flowData }),
    type: flow.type as FlowPatch['type'],
    ...((stored.config.category ?? null) === flow.category ? {} : { category: flow.category }),
    ...Object.fromEntries(settings),
  }
}

/** The first mistake of a text, and how many more there are. */
function refusalOf(mistakes: readonly { line: number; column: number; message: string }[]): SluiceError {
  const [first, ...others] = mistakes
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new SluiceError('flow_text_invalid', {
    reason: `line ${first!.line}, column ${first!.column}: ${first!.message}${more}`,
  })
}
