import { JSON_COLUMNS } from '../../contract/flow-store.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { describeDrawing } from './describe-drawing.ts'
import { drawText, type MissingValue } from './draw-text.ts'
import { type FlowModel, isStepNode, type TextHead, type TextSettings } from './flow-model.ts'
import { hideSettings } from './hide-secrets.ts'
import { withHidden } from './hidden.ts'
import { readFlowModel, type TextSpan } from './read-text.ts'
import type { Mistake } from './read-yaml.ts'
import { writeText } from './write-text.ts'

/** A flow with what its text has of it. `config` as in its row. */
export type TextFlow = { name: string; type: string; flowData: string; config: JsonObject }

/** The text of a stored flow. @throws SluiceError `flow_invalid` */
export const textOfFlow = (flow: TextFlow, catalog: Catalog): string => writeText(modelOfFlow(flow, catalog))

/** The text of a drawing alone, for an editor beside it. @throws SluiceError `flow_invalid` */
export const textOfDrawing = (drawing: JsonObject, catalog: Catalog): string =>
  writeText(describeDrawing(drawing, catalog))

/** What the text of a stored flow says. @throws SluiceError `flow_invalid` */
export function modelOfFlow({ name, type, flowData, config }: TextFlow, catalog: Catalog): FlowModel {
  const model = describeDrawing(drawingOf(flowData), catalog)
  const { category } = config
  const settings = Object.fromEntries(
    JSON_COLUMNS.flatMap((one) => (isObject(config[one]) ? [[one, config[one] as JsonObject]] : [])),
  )
  const head: TextHead = { flow: name }
  if (type !== typeOf(model, catalog)) head.type = type
  if (typeof category === 'string' && category !== '') head.category = category
  if (Object.keys(settings).length > 0) head.settings = hideSettings(settings)
  return { ...model, head }
}

/** The type that a flow has by its nodes. */
const typeOf = ({ nodes }: FlowModel, catalog: Catalog): string =>
  [...nodes.values()].some((node) => isStepNode(node, catalog)) ? 'AGENTFLOW' : 'CHATFLOW'

/** A drawing that is stored as text; an empty text is an empty drawing. */
export function drawingOf(flowData: string): JsonObject {
  const drawing = flowData.trim() === '' ? { nodes: [], edges: [] } : parseJson(flowData)
  return isObject(drawing) ? (drawing as JsonObject) : {}
}

/** A flow as its text has it, complete enough to be saved. `name` is absent where the text has none. */
export type ReadFlow = {
  name?: string
  type: string
  category: string | null
  drawing: JsonObject
  /** Those that the text has. */
  settings: TextSettings
  /** Hidden values that are not known here: they have to be entered. */
  missing: MissingValue[]
}

/** What was read of a text; without a flow where it has a mistake. */
export type ReadFlowText = { flow: ReadFlow | undefined; mistakes: Mistake[]; spans: TextSpan[] }

/**
 * Reads the text of a flow. A text with a mistake gives no flow.
 *
 * @param stored the flow that the text changes, which has the values that a text does not show
 */
export function readFlowText(text: string, catalog: Catalog, stored?: TextFlow): ReadFlowText {
  const known = stored && modelOfFlow(stored, catalog)
  const { model, mistakes, spans } = readFlowModel(text, catalog, known)
  if (!model) return { flow: undefined, mistakes, spans }
  const { drawing, missing } = drawText(model, catalog, stored && drawingOf(stored.flowData))
  const { flow: name, type, category, settings = {} } = model.head
  const restored = withHidden(settings, known?.head.settings, (path) =>
    missing.push({ nodeId: null, input: path.join('.') }),
  ) as JsonObject
  const kept = JSON_COLUMNS.flatMap((one) => (isObject(restored[one]) ? [[one, restored[one]]] : []))
  return {
    flow: {
      ...(name === undefined ? {} : { name }),
      type: type ?? typeOf(model, catalog),
      category: category ?? null,
      drawing,
      settings: Object.fromEntries(kept) as TextSettings,
      missing,
    },
    mistakes,
    spans,
  }
}

/** The flow of a text as a row has it. @param name of a flow whose text has none */
export function flowOfText({ drawing, settings, category, type, ...read }: ReadFlow, name: string): TextFlow {
  return {
    name: read.name ?? name,
    type,
    flowData: JSON.stringify(drawing),
    config: { ...settings, category },
  }
}
