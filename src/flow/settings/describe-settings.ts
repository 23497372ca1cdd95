import type { QuestionWatch } from '../../contract/question-watch.ts'
import type { FieldType } from '../../contract/field.ts'
import { isEmptyInput } from '../../cards/field.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { credentialKindsOf } from '../credentials.ts'
import { plainDefault } from '../draw-card.ts'
import { HIDDEN_VALUE } from '../describe.ts'
import { takesFiles } from './change-settings.ts'
import { gateSwitches } from './gate-switches.ts'
import { keepsOriginals } from './keeps-originals.ts'
import { questionWatchOf } from './question-watch.ts'
import { rateLimitText } from './rate-limit-text.ts'
import { settableInputsOf, targetsOf } from './targets.ts'

/** One input of a node with its value. `key` sets it: only the name, if one node has such an input. */
export type DescribedSetting = {
  key: string
  label: string
  type: FieldType
  value: Json
  isDefault: boolean
  /** Whether requests may override it. */
  overridable: boolean
  options?: readonly string[]
}

export type DescribedNode = {
  id: string
  name: string
  label: string
  /** The id of its credential, null if it has none; absent for a node that takes none. */
  credential?: string | null
  credentialKinds?: readonly string[]
  /** Whether requests may upload files for it; absent for a node that takes none. */
  uploads?: boolean
  settings: DescribedSetting[]
}

export type DescribedFlow = {
  overrides: boolean
  /** Whether the flow keeps the files of its documents. */
  originals: boolean
  questions: QuestionWatch
  rateLimit: string
  nodes: DescribedNode[]
}

/** The settings of a flow, node by node. Inputs that can hold a secret show only whether they are set. */
export function describeSettings(
  flow: { flowData: string; apiConfig: JsonObject },
  catalog: Catalog,
): DescribedFlow {
  const drawing = parseJson(flow.flowData)
  const targets = isObject(drawing) ? targetsOf(drawing as JsonObject, catalog) : []
  const settings = settableInputsOf(targets)
  const times = Map.groupBy(settings, ({ input }) => input)
  const apiConfig = structuredClone(flow.apiConfig)
  const gate = gateSwitches(apiConfig)
  const nodes = targets.map((target): DescribedNode => {
    const kinds = credentialKindsOf(target.card)
    return {
      id: target.path,
      name: target.card.name,
      label: target.label,
      ...(kinds.length > 0 ? { credential: target.credential() ?? null, credentialKinds: kinds } : {}),
      ...(takesFiles(target) ? { uploads: gate.isOn(target, 'files') } : {}),
      settings: settings
        .filter((setting) => setting.target === target)
        .map(({ input, field }): DescribedSetting => {
          const raw = target.inputs[input]
          const fallback = plainDefault(field.fallback)
          const isDefault = isEmptyInput(raw) || JSON.stringify(raw) === JSON.stringify(fallback)
          const masked = field.guard === 'credential' && !isDefault && field.type !== 'boolean'
          return {
            key: times.get(input)!.length > 1 ? `${target.path}.${input}` : input,
            label: field.label,
            type: field.type,
            value: masked ? HIDDEN_VALUE : isEmptyInput(raw) ? fallback : (raw as Json),
            isDefault,
            overridable: gate.isOn(target, input),
            ...(field.options ? { options: field.options } : {}),
          }
        }),
    }
  })
  return {
    overrides: gate.open(),
    originals: keepsOriginals(apiConfig),
    questions: questionWatchOf(apiConfig),
    rateLimit: rateLimitText(apiConfig.rateLimit),
    nodes,
  }
}
