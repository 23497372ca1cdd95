import { rowsOf } from './rows-of.ts'
import { isObject, textOf } from './flow-file.ts'
import type { DrawnNode, Graph } from './graph.ts'

/** A name that may stand between `{{` and `}}`. */
export type VariableName = { name: string; about: string }

const CONVERSATION: readonly VariableName[] = [
  { name: 'question', about: 'The question of the user' },
  { name: 'chat_history', about: 'The conversation before the question' },
  { name: 'file_attachment', about: 'The text of the files sent with the question' },
  { name: 'current_date_time', about: 'Date and time of the run' },
  { name: 'runtime_messages_length', about: 'The number of messages so far' },
  { name: '$flow.sessionId', about: 'The id of the session' },
  { name: '$flow.chatId', about: 'The id of the chat' },
  { name: '$flow.chatHistory', about: 'The conversation before the question' },
  { name: '$flow.input', about: 'The question of the user' },
]

/**
 * The names that may stand in the texts of a node.
 *
 * @param variables the names of the workspace's variables
 */
export function variableNames(graph: Graph, node: DrawnNode, variables: readonly string[]): VariableName[] {
  const common = [
    ...variables.map((name) => ({ name: `$vars.${name}`, about: 'A variable of the workspace' })),
    { name: '$flow.chatflowId', about: 'The id of the flow' },
  ]
  // Stores are used without a conversation too.
  if (node.kind.part === 'vectorStore') return common
  if (['prompt', 'passages'].includes(node.kind.part))
    return [...answersOfChains(graph), ...CONVERSATION, ...common]
  if (node.shape !== 'step') return [...CONVERSATION, ...common]
  return [...outputsBefore(graph, node), ...ofRun(graph, node), ...CONVERSATION, ...common]
}

/** The answers of chains, and what searches find: they may stand in prompts. */
const answersOfChains = (graph: Graph): VariableName[] =>
  graph.nodes
    .filter(({ kind }) => ['answerer', 'passages'].includes(kind.part))
    .map(({ id, label }) => ({ name: `${id}.data.instance`, about: `The text of ${label}` }))

/** The outputs of the steps that run before a step: all from which lines lead to it, and those around it. */
function outputsBefore(graph: Graph, node: DrawnNode): VariableName[] {
  const before = new Set<string>()
  const open = [node.id, ...(node.parent === undefined ? [] : [node.parent])]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { source, target } of graph.connections)
      if (target === at && !before.has(source)) {
        before.add(source)
        open.push(source)
      }
  return graph.nodes
    .filter(({ id, kind }) => before.has(id) && id !== node.id && kind.name !== 'startAgentflow')
    .map(({ id, label }) => ({ name: id, about: `The output of ${label}` }))
}

/** The state, the form and the item of an iteration. */
function ofRun(graph: Graph, node: DrawnNode): VariableName[] {
  const start = graph.nodes.find(({ kind }) => kind.name === 'startAgentflow')
  const names = (input: string, column: string) =>
    rowsOf(start?.values[input]).flatMap((row) => (isObject(row) && textOf(row[column])) || [])
  return [
    ...names('startState', 'key').map((key) => ({
      name: `$flow.state.${key}`,
      about: 'A value of the state of the flow',
    })),
    ...names('formInputTypes', 'name').map((name) => ({
      name: `$form.${name}`,
      about: 'A value of the form',
    })),
    ...(node.parent === undefined ? [] : [{ name: '$iteration', about: 'The item of this round' }]),
    { name: 'loop_count', about: 'How often a Loop step went back' },
  ]
}
