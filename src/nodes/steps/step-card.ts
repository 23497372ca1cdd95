import type { BuildContext, NodeOutput } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import { InputError } from '../../cards/input-error.ts'
import type { Fields, ValuesOf } from '../../contract/field.ts'
import type {
  AnswerField,
  ChosenNode,
  KeyValue,
  StepMemory,
  StepMessage,
  StepPart,
} from '../../contract/step.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'

type Step<F extends Fields> = {
  name: string
  label: string
  version: number
  /** The name of a Lucide icon: steps share a category, and each has an icon of its own. */
  icon: string
  description: string
  fields: F
  /** The ways to the next nodes; one where absent. */
  outputs?: readonly NodeOutput[]
  build(values: ValuesOf<F>, context: BuildContext): StepPart
}

/** Declares a node of an agent flow. Such a node has no anchors: edges give the order of nodes. */
export function defineStep<const F extends Fields>({
  label,
  build,
  outputs = [{ label: 'Next' }],
  ...step
}: Step<F>) {
  const type = label.replaceAll(' ', '')
  return defineNode({
    ...step,
    kind: 'step',
    label,
    category: 'Agent Flows',
    type,
    baseClasses: [type],
    anchors: {},
    outputs,
    build: ({ values }, context) => build(values, context),
  })
}

/** The node that an input selects, with its configuration. @throws InputError if none is selected */
export function chosenNode(input: string, name: unknown, config: unknown, what: string): ChosenNode {
  if (typeof name !== 'string' || name === '') throw new InputError(input, `no ${what} is selected`)
  return { name, inputs: (config ?? {}) as JsonObject }
}

/** The text of a cell of a row; empty if the cell is absent. */
export const textOfCell = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

export const flagOfCell = (value: Json | undefined): boolean => /^true$/i.test(textOfCell(value))

/** Rows with a key and a value. Rows without a key are dropped. */
export const keyValues = (list: readonly JsonObject[], key = 'key', value = 'value'): KeyValue[] =>
  list
    .map((row) => ({ key: textOfCell(row[key]), value: row[value] ?? '' }))
    .filter((pair) => pair.key !== '')

/** The messages of a node, without blank ones. The role `developer` becomes `system`. */
export const stepMessages = (list: readonly JsonObject[]): StepMessage[] =>
  list
    .map(
      ({ role, content }): StepMessage => ({
        role: role === 'assistant' || role === 'user' ? role : 'system',
        content: textOfCell(content),
      }),
    )
    .filter(({ content }) => content.trim() !== '')

export const MEMORY_TYPES = [
  'allMessages',
  'windowSize',
  'conversationSummary',
  'conversationSummaryBuffer',
] as const

export const stepMemory = (
  on: boolean,
  type: StepMemory['type'],
  windowSize: number,
  maxTokens: number,
): StepMemory | undefined => (on ? { type, windowSize, maxTokens } : undefined)

/** The types of the fields of an answer in JSON. */
export const ANSWER_TYPES = ['string', 'stringArray', 'number', 'boolean', 'enum', 'jsonArray'] as const

/** @param input the input with these rows. @throws InputError for a field that cannot be asked for */
export function answerFields(list: readonly JsonObject[], input: string): AnswerField[] {
  return list.map((row) => {
    const key = textOfCell(row.key)
    const type = ANSWER_TYPES.find((one) => one === row.type)
    if (key === '' || type === undefined)
      throw new InputError(input, 'a field of the structured output has no key or no type')
    const schema = textOfCell(row.jsonSchema)
    if (type === 'jsonArray' && !schema.includes('{{') && !isObject(parseJson(schema)))
      throw new InputError(input, `the schema of ${key} is not a JSON object`)
    return {
      key,
      type,
      enumValues: textOfCell(row.enumValues),
      jsonSchema: textOfCell(row.jsonSchema),
      description: textOfCell(row.description),
    }
  })
}
