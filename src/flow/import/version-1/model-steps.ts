import type { Json, JsonObject } from '../../../kit/json.ts'
import { written } from '../../graph.ts'
import type { Context, Translated } from './context.ts'
import { rowsIn } from './draft.ts'
import type { OldNode } from './old-drawing.ts'
import { modelOf, toolsOf } from './parts.ts'
import { promptText, promptValues } from './prompts.ts'
import { stateAfter } from './state.ts'
import { Untranslatable } from './untranslatable.ts'

/** Types of a structured output by the names of version 1. */
const ANSWER_TYPES: Readonly<Record<string, string>> = {
  String: 'string',
  'String Array': 'stringArray',
  Number: 'number',
  Boolean: 'boolean',
  Enum: 'enum',
}

/** The rows of a structured output. @throws Untranslatable for a table or a type that cannot be read */
export function answerRows(node: OldNode, input: string): JsonObject[] {
  const rows = rowsIn(node.inputs[input])
  if (!rows) throw new Untranslatable(input, 'its table cannot be read', 'Enter it again')
  return rows.map((row) => {
    const type = ANSWER_TYPES[written(row.type)]
    if (type === undefined)
      throw new Untranslatable(
        input,
        `the type ${written(row.type) || '(none)'}`,
        'Choose String, Number or Enum',
      )
    return {
      key: written(row.key),
      type,
      // Other types keep a text of their author in the column of the values.
      enumValues: type === 'enum' ? written(row.enumValues) : '',
      jsonSchema: '',
      description: written(row.description) || (type === 'enum' ? '' : written(row.enumValues)),
    }
  })
}

/** The prompts of a node as texts of version 2. A name without a value is a line of the report. */
export function promptsOf(
  node: OldNode,
  inputs: { system: string; human: string },
  { draft, variableOf }: Context,
  id: string,
): { system: string; human: string } {
  const values = promptValues(node.inputs.promptValues, variableOf)
  const [system, human] = [inputs.system, inputs.human].map((input) => {
    const { text, unknown } = promptText(node.inputs[input], values, variableOf, input)
    for (const name of unknown)
      draft.say({ id, label: node.label }, 'needed', `The prompt names {${name}}, which has no value`, {
        input,
        instead: 'Write the value in its place, or a variable such as {{question}}',
      })
    return text
  })
  return { system: system!, human: human! }
}

/** Which messages a model gets before the last one, and the messages in their place. */
export function historyOf(
  node: OldNode,
  human: string,
  { draft, messageBefore }: Context,
  id: string,
): { memory: boolean; messages: JsonObject[] } {
  if (written(node.inputs.messageHistory).trim() !== '')
    throw new Untranslatable(
      'messageHistory',
      'its first messages are made by code',
      'Write them as messages of llmAgentflow or agentAgentflow',
    )
  switch (written(node.inputs.conversationHistorySelection) || 'all_messages') {
    case 'user_question':
      return { memory: false, messages: human.trim() === '' ? [] : [user('{{question}}')] }
    case 'last_message':
      return { memory: false, messages: [user(`{{${messageBefore(node.id)}}}`)] }
    case 'empty':
      if (human.trim() === '')
        draft.say(
          { id, label: node.label },
          'changed',
          'It gets the question, since it has no message of its own',
          {
            input: 'conversationHistorySelection',
          },
        )
      return { memory: false, messages: [] }
    default:
      return { memory: true, messages: [] }
  }
}

const user = (content: string): JsonObject => ({ role: 'user', content })

/** The inputs that LLM and Agent steps have alike, without their prefix. */
export function modelInputs(prefix: 'llm' | 'agent', values: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]))
}

/** The system message and others, without blank ones. */
export const messagesWith = (system: string, others: readonly JsonObject[]): JsonObject[] => [
  ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
  ...others,
]

/**
 * An Agent or LLM node as an Agent or LLM step, with a step that writes the state where that takes code.
 *
 * @param step the id of the model step
 * @param stateStep the id of the step with code; it is drawn only where it is needed
 * @param toolNode the Tool node that runs the calls of an LLM node: both become one Agent step
 */
export function translateModelNode(
  node: OldNode,
  step: string,
  toolNode: OldNode | undefined,
  context: Context,
): Translated & { hasCode: boolean } {
  const { draft } = context
  const isAgent = node.name === 'seqAgent' || toolNode !== undefined
  const prefix = isAgent ? 'agent' : 'llm'
  const prompts = promptsOf(
    node,
    { system: 'systemMessagePrompt', human: 'humanMessagePrompt' },
    context,
    step,
  )
  const history = historyOf(node, prompts.human, context, step)
  const model = modelOf(node, context, step)
  const answer = node.name === 'seqLLMNode' ? answerRows(node, 'llmStructuredOutput') : []
  const withTools = toolNode ?? node
  const asks = isOn(withTools.inputs.interrupt)
  if (asks)
    draft.say({ id: step, label: labelOf(node) }, 'changed', 'A person approves each call of a tool', {
      input: 'interrupt',
      instead: 'The text and the buttons of the question are those of this server',
    })
  const fields = new Map(answer.map(({ key, type }) => [written(key), type === 'string' || type === 'enum']))
  const ownState = stateAfter(node, step, fields, false, context)
  const toolState = toolNode && stateAfter(toolNode, step, fields, true, context)
  const iterations = Number(node.inputs.maxIterations)
  draft.add(step, labelOf(node), node.position, {
    ...modelInputs(prefix, {
      Model: model.name,
      ModelConfig: model.inputs,
      Messages: messagesWith(prompts.system, history.messages),
      EnableMemory: history.memory,
      MemoryType: 'allMessages',
      UserMessage: prompts.human,
      ReturnResponseAs: node.name === 'seqAgent' ? 'userMessage' : 'assistantMessage',
      StructuredOutput: answer,
      UpdateState: ownState.rows,
    }),
    ...(isAgent ? toolsOf(withTools, asks, context, step) : {}),
    ...(isAgent && Number.isInteger(iterations) && iterations > 0 ? { agentMaxIterations: iterations } : {}),
  })
  draft.became(step, node)
  let last = step
  for (const [owner, state] of [
    [node, ownState],
    [toolNode, toolState],
  ] as const)
    if (owner && state?.code) last = addStateStep(owner, last, state.code, context)
  return { entry: step, exits: () => [{ from: last, output: 0 }], hasCode: last !== step }
}

/** Draws the step that writes the state below the node that it belongs to. */
export function addStateStep(node: OldNode, after: string, inputs: JsonObject, { draft }: Context): string {
  const id = draft.reserve('customFunctionAgentflow')
  const label = `State of ${labelOf(node)}`
  draft.add(id, label, { x: node.position.x + 40, y: node.position.y + 150 }, inputs)
  draft.connect(after, 0, id)
  draft.say(
    { id, label },
    'changed',
    `What ${labelOf(node)} writes to the state became customFunctionAgentflow`,
  )
  return id
}

/** The name that a node has in its inputs, which prompts and loops know, or its label. */
export function labelOf({ name, label, inputs }: OldNode): string {
  const input = NAMES[name]
  return (input === undefined ? '' : written(inputs[input]).trim()) || label
}

const NAMES: Readonly<Record<string, string>> = {
  seqAgent: 'agentName',
  seqLLMNode: 'llmNodeName',
  seqToolNode: 'toolNodeName',
  seqCondition: 'conditionName',
  seqConditionAgent: 'conditionAgentName',
  seqCustomFunction: 'functionName',
  seqExecuteFlow: 'seqExecuteFlowName',
  supervisor: 'supervisorName',
  worker: 'workerName',
}

/** Whether a switch of version 1 is on: true, or its text. */
export const isOn = (value: unknown): boolean => value === true || value === 'true'
