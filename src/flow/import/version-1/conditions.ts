import type { JsonObject } from '../../../kit/json.ts'
import { written } from '../../graph.ts'
import type { Context, Translated } from './context.ts'
import { rowsIn } from './draft.ts'
import { answerRows, historyOf, labelOf, messagesWith, modelInputs, promptsOf } from './model-steps.ts'
import type { OldNode } from './old-drawing.ts'
import { modelOf } from './parts.ts'
import { variableAt } from './prompts.ts'
import { chosenTab } from './state.ts'
import { codeHead } from './state-code.ts'
import { Untranslatable } from './untranslatable.ts'

/** A row of a condition: the value of the run, the operation of version 1, what it is compared with, and the output. */
type OldRow = { variable: string; operation: string; value: string; output: string }

type Comparison = { type: 'string' | 'number'; operation: string; value2: string }

/** Operations by their names of version 1. In version 1 an empty value fulfils `Is Empty` alone. */
const OPERATIONS: Readonly<Record<string, (value: string) => Comparison>> = {
  Contains: texts('contains'),
  'Not Contains': (value) => regex(`^(?![\\s\\S]*${RegExp.escape(value)})[\\s\\S]+$`),
  'Start With': texts('startsWith'),
  'End With': texts('endsWith'),
  Is: texts('equal'),
  'Is Not': (value) => regex(`^(?!${RegExp.escape(value)}$)[\\s\\S]+$`),
  'Is Empty': () => regex('^\\s*(\\[\\])?\\s*$'),
  'Is Not Empty': () => regex('^(?!\\s*(\\[\\])?\\s*$)[\\s\\S]+$'),
  'Greater Than': numbers('larger'),
  'Less Than': numbers('smaller'),
  'Equal To': numbers('equal'),
  'Not Equal To': numbers('notEqual'),
  'Greater Than or Equal To': numbers('largerEqual'),
  'Less Than or Equal To': numbers('smallerEqual'),
}

function texts(operation: string) {
  return (value2: string): Comparison => ({ type: 'string', operation, value2 })
}
function numbers(operation: string) {
  return (value2: string): Comparison => ({ type: 'number', operation, value2 })
}
function regex(value2: string): Comparison {
  return { type: 'string', operation: 'regex', value2 }
}

/** The rows of a condition. @throws Untranslatable for a table that cannot be read, and an operation that nobody knows */
function rowsOf({ inputs }: OldNode): OldRow[] {
  const rows = rowsIn(inputs.conditionUI)
  if (!rows) throw new Untranslatable('conditionUI', 'its table cannot be read', 'Enter it again')
  return rows.map((row) => {
    const [variable, operation] = [written(row.variable), written(row.operation)]
    if (!Object.hasOwn(OPERATIONS, operation))
      throw new Untranslatable('conditionUI', `the operation ${operation || '(none)'}`, 'Choose another one')
    return { variable, operation, value: written(row.value), output: written(row.output) }
  })
}

const codeOf = ({ id, inputs }: OldNode): string | undefined => {
  const code = written(inputs.conditionFunction)
  const tab = chosenTab(inputs, 'selectedConditionFunctionTab', id)
  return tab === 'conditionFunction' && code.trim() !== '' ? code : undefined
}

/** Edges name an output in another form than rows: `softwareEngineer` and `Software Engineer`. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The ways out of a step whose outputs have these names, in order; the output after them is `End`. */
const exitsBy =
  (step: string, names: readonly string[]): Translated['exits'] =>
  (output) => [
    ...names.flatMap((name, index) => (plain(name) === plain(output) ? [{ from: step, output: index }] : [])),
    ...(plain(output) === 'end' ? [{ from: step, output: names.length }] : []),
  ]

/** A Condition node as a Condition step, with a step before it where code decides. */
export function translateCondition(
  node: OldNode,
  step: string,
  context: Context,
): Translated & { hasCode: boolean } {
  const code = codeOf(node)
  if (code !== undefined) return byCode(node, code, step, undefined, new Map(), context)
  addCondition(node, step, node.position, undefined, context)
  return {
    entry: step,
    exits: exitsBy(
      step,
      rowsOf(node).map(({ output }) => output),
    ),
    hasCode: false,
  }
}

/** @param output the variable of a field of `$flow.output`, for the condition of an agent */
function addCondition(
  node: OldNode,
  step: string,
  position: OldNode['position'],
  output: ((field: string) => string) | undefined,
  { draft, variableOf }: Context,
): void {
  const rows = rowsOf(node)
  if (rows.some(({ variable }) => variable.startsWith('$flow.state.messages')))
    draft.say(
      { id: step, label: labelOf(node) },
      'changed',
      'Messages are those of one run, not of the session',
      {
        input: 'conditions',
      },
    )
  draft.add(step, labelOf(node), position, {
    conditions: rows.map(({ variable, operation, value }) => {
      const name = variableAt(variable, variableOf, output)
      if (name === undefined)
        throw new Untranslatable('conditionUI', `the value ${variable || '(none)'}`, 'Use $flow.state.KEY')
      const { type, operation: by, value2 } = OPERATIONS[operation]!(value)
      return { type, value1: `{{${name}}}`, operation: by, value2 }
    }),
  })
  draft.became(step, node)
}

/** Code that returns the name of an output, and a Condition step over it. */
function byCode(
  node: OldNode,
  code: string,
  step: string,
  model: string | undefined,
  fields: ReadonlyMap<string, boolean>,
  { draft }: Context,
): Translated & { hasCode: boolean } {
  const { head, variables } = codeHead(model, fields, false)
  const decides = draft.reserve('customFunctionAgentflow')
  const { x, y } = node.position
  draft.add(
    decides,
    `Decide ${labelOf(node)}`,
    model === undefined ? node.position : { x: x + 40, y: y + 150 },
    {
      customFunctionInputVariables: variables,
      customFunctionJavascriptFunction: `${head}
return await (async ($flow) => {
${code}
})(given)`,
    },
  )
  const names = [...node.outputs].filter(([name]) => plain(name) !== 'end').map(([, label]) => label)
  draft.add(
    step,
    labelOf(node),
    { x: x + 80, y: y + (model === undefined ? 150 : 300) },
    {
      conditions: names.map((name) => ({
        type: 'string',
        value1: `{{${decides}}}`,
        operation: 'equal',
        value2: name,
      })),
    },
  )
  if (model !== undefined) draft.connect(model, 0, decides)
  draft.connect(decides, 0, step)
  draft.became(step, node)
  return { entry: model ?? decides, exits: exitsBy(step, names), hasCode: true }
}

/** The values of the only field of an answer that conditions ask for, and the output of each; undefined for other conditions. */
function scenariosOf(node: OldNode, answer: readonly JsonObject[]): Map<string, string> | undefined {
  const [field, ...others] = answer
  if (codeOf(node) !== undefined || field?.type !== 'enum' || others.length > 0) return undefined
  const rows = rowsOf(node)
  const isAsked = ({ variable, operation }: OldRow) =>
    variable === `$flow.output.${written(field.key)}` && (operation === 'Is' || operation === 'Contains')
  if (rows.length === 0 || !rows.every(isAsked)) return undefined
  const values = written(field.enumValues)
    .split(',')
    .map((value) => value.trim())
  return new Map(
    values.filter(Boolean).map((value) => {
      const row = rows.find((one) =>
        one.operation === 'Is' ? value === one.value : value.includes(one.value),
      )
      return [value, row?.output ?? 'End']
    }),
  )
}

/** Whether a Condition Agent node becomes a Condition Agent step; else an LLM step and a Condition step. */
export const isConditionAgentStep = (node: OldNode): boolean => {
  try {
    return scenariosOf(node, answerRows(node, 'conditionAgentStructuredOutput')) !== undefined
  } catch (error) {
    if (error instanceof Untranslatable) return true
    throw error
  }
}

/**
 * A Condition Agent node. Where its answer is one of several values, it is a Condition Agent step with a scenario for each; else an LLM
 * step with the answer, and a Condition step.
 */
export function translateConditionAgent(
  node: OldNode,
  step: string,
  context: Context,
): Translated & { hasCode: boolean } {
  const { draft, messageBefore } = context
  const answer = answerRows(node, 'conditionAgentStructuredOutput')
  const prompts = promptsOf(
    node,
    { system: 'systemMessagePrompt', human: 'humanMessagePrompt' },
    context,
    step,
  )
  const history = historyOf(node, prompts.human, context, step)
  const model = modelOf(node, context, step)
  const scenarios = scenariosOf(node, answer)
  if (scenarios) {
    const before = messageBefore(node.id)
    const selection = written(node.inputs.conversationHistorySelection)
    const latest = before === 'question' || selection === 'user_question' ? '' : `\n\n{{${before}}}`
    draft.add(step, labelOf(node), node.position, {
      conditionAgentModel: model.name,
      conditionAgentModelConfig: model.inputs,
      conditionAgentInstructions: prompts.human,
      conditionAgentInput: selection === 'last_message' ? `{{${before}}}` : `{{question}}${latest}`,
      conditionAgentScenarios: [...scenarios.keys()].map((scenario) => ({ scenario })),
      conditionAgentEnableMemory: history.memory,
      conditionAgentOverrideSystemPrompt: prompts.system.trim() !== '',
      conditionAgentSystemPrompt: prompts.system,
    })
    draft.became(step, node)
    return { entry: step, exits: exitsBy(step, [...scenarios.values()]), hasCode: true }
  }
  draft.add(
    step,
    `Answer for ${labelOf(node)}`,
    node.position,
    modelInputs('llm', {
      Model: model.name,
      ModelConfig: model.inputs,
      Messages: messagesWith(prompts.system, history.messages),
      EnableMemory: history.memory,
      UserMessage: prompts.human,
      ReturnResponseAs: 'assistantMessage',
      StructuredOutput: answer,
    }),
  )
  draft.say(
    { id: step, label: labelOf(node) },
    'changed',
    'Its answer is one of the messages that later nodes read',
  )
  const fields = new Map(answer.map(({ key, type }) => [written(key), type === 'string' || type === 'enum']))
  const condition = draft.reserve('conditionAgentflow')
  const code = codeOf(node)
  if (code !== undefined) return byCode(node, code, condition, step, fields, context)
  const { x, y } = node.position
  const output = (field: string) => (field === '' ? step : `${step}.output.${field}`)
  addCondition(node, condition, { x: x + 40, y: y + 150 }, output, context)
  draft.connect(step, 0, condition)
  return {
    entry: step,
    exits: exitsBy(
      condition,
      rowsOf(node).map(({ output: name }) => name),
    ),
    hasCode: true,
  }
}
