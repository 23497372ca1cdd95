import { SluiceError } from '../../../kit/errors.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { written } from '../../graph.ts'
import type { Context } from './context.ts'
import { isOn, labelOf, messagesWith, modelInputs } from './model-steps.ts'
import { nameInRun } from './loops.ts'
import { type OldNode, oldNodesNamed, pluggedNodes } from './old-drawing.ts'
import { modelOf, toolsOf } from './parts.ts'
import { promptText, promptValues } from './prompts.ts'
import { Untranslatable } from './untranslatable.ts'

/** Flowise's text for a supervisor without a prompt. */
const SUPERVISOR = `You are a supervisor tasked with managing a conversation between the following workers: {team_members}.
Given the following user request, respond with the worker to act next.
Each worker will perform a task and respond with their results and status.
When finished, respond with FINISH.
Select strategically to minimize the number of steps taken.`

/** What Flowise adds to the prompt of each worker. */
const OF_A_TEAM = `
Work autonomously according to your specialty, using the tools available to you. Do not ask for clarification. Your other team members (and other teams) will collaborate with you with their own specialties. You are chosen for a reason! You are one of the following team members: {team_members}.`

const RECURSION_LIMIT = 100
/** The highest count of a Loop step. */
const MOST_ROUNDS = 400

/**
 * Draws a supervisor and its workers: an LLM step chooses the next worker, a Condition step leads to its Agent step, and a Loop step
 * back to the supervisor, until it answers FINISH. The answer is that of the last worker, or a summary.
 *
 * @param after the step before the supervisor
 * @throws SluiceError `flow_invalid` without workers, or with several supervisors
 */
export function addTeam(after: string, context: Context): void {
  const { old, draft } = context
  const [supervisor, ...others] = oldNodesNamed(old, 'supervisor')
  if (!supervisor) throw new SluiceError('flow_invalid', { reason: 'its workers have no supervisor' })
  if (others.length > 0)
    throw new SluiceError('flow_invalid', {
      reason: `it has ${others.length + 1} supervisors: ${[supervisor, ...others].map(labelOf).join(', ')}`,
      hint: 'Make a flow for each team, and call it with executeFlowAgentflow',
    })
  const workers = oldNodesNamed(old, 'worker').filter((worker) =>
    pluggedNodes(old, worker, 'supervisor').includes(supervisor),
  )
  if (workers.length === 0)
    throw new SluiceError('flow_invalid', { reason: `the supervisor ${labelOf(supervisor)} has no workers` })
  const names = workers.map((worker) => nameInRun(labelOf(worker)))
  const { x, y } = supervisor.position
  const chooses = draft.reserve('llmAgentflow')
  const summarises = isOn(supervisor.inputs.summarization)
  draft.connect(after, 0, chooses)
  const isDrawn = tryStep(supervisor, after, context, () =>
    addSupervisor(supervisor, chooses, names, context),
  )
  if (!isDrawn) return
  const leads = draft.reserve('conditionAgentflow')
  const rows = names.map((name) => comparison('{{$flow.state.next}}', 'equal', name))
  const nobody = comparison('{{$flow.state.answer}}', 'isEmpty', '')
  draft.add(leads, 'Next worker', { x: x + 300, y }, { conditions: summarises ? rows : [...rows, nobody] })
  draft.connect(chooses, 0, leads)
  const loop = draft.reserve('loopAgentflow')
  const rounds = roundsOf(supervisor)
  for (const [index, worker] of workers.entries()) {
    const step = draft.reserve('agentAgentflow')
    const at = { x: x + 600, y: y + 160 * index }
    const drawn = tryStep(worker, leads, context, () => addWorker(worker, step, at, names, context), index)
    if (!drawn) continue
    draft.connect(leads, index, step)
    draft.connect(step, 0, loop)
  }
  draft.add(
    loop,
    `Back to ${labelOf(supervisor)}`,
    { x: x + 900, y },
    {
      loopBackToNode: `${chooses}-${labelOf(supervisor)}`,
      maxLoopCount: rounds,
    },
  )
  draft.say(
    { id: loop, label: `Back to ${labelOf(supervisor)}` },
    'changed',
    `The recursion limit became at most ${rounds} rounds of supervisor and worker`,
    { input: 'maxLoopCount' },
  )
  const below = y + 160 * workers.length
  if (!summarises) {
    reply(leads, workers.length, 'Answer of the supervisor', '{{$flow.state.instructions}}', {
      x: x + 600,
      y: below,
    })
    reply(leads, workers.length + 1, 'Answer of the team', '{{$flow.state.answer}}', {
      x: x + 600,
      y: below + 160,
    })
  } else reply(leads, workers.length, 'Summary', '{{$flow.state.summarization}}', { x: x + 600, y: below })

  function reply(from: string, output: number, label: string, message: string, at: OldNode['position']) {
    const id = draft.reserve('directReplyAgentflow')
    draft.add(id, label, at, { directReplyMessage: message })
    draft.connect(from, output, id)
  }
}

/** The keys of the state of a team. */
export const TEAM_STATE = ['next', 'instructions', 'summarization', 'answer'].map((key) => ({
  key,
  append: false,
  initial: '',
}))

const comparison = (value1: string, operation: string, value2: string): JsonObject => ({
  type: 'string',
  value1,
  operation,
  value2,
})

function roundsOf({ inputs }: OldNode): number {
  const limit = Number(inputs.recursionLimit) || RECURSION_LIMIT
  return Math.min(MOST_ROUNDS, Math.max(1, Math.floor(limit / 2)))
}

/** Draws a step, or the node as it was where it cannot be translated. Returns whether it is a step. */
export function tryStep(
  node: OldNode,
  before: string,
  { draft }: Context,
  work: () => void,
  output = 0,
): boolean {
  try {
    draft.whole(work)
    return true
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error
    const { message, input, instead } = error
    draft.keep(node)
    draft.connect(before, output, node.id)
    draft.say(
      { id: node.id, label: labelOf(node) },
      'unsupported',
      `${node.name} is not translated: ${message}`,
      {
        input,
        instead,
      },
    )
    return false
  }
}

function addSupervisor(node: OldNode, step: string, names: readonly string[], context: Context): void {
  const { draft, variableOf } = context
  const model = modelOf(node, context, step)
  const members = new Map([['team_members', names.join(', ')]])
  const prompt = written(node.inputs.supervisorPrompt).trim() || SUPERVISOR
  const { text } = promptText(prompt, members, variableOf, 'supervisorPrompt')
  const summarises = isOn(node.inputs.summarization)
  const options = ['FINISH', ...names].join(', ')
  const asked = `Given the conversation above, who should act next? Or should we FINISH? Select one of: ${options}`
  const field = (key: string, description: string, enumValues = ''): JsonObject => ({
    key,
    type: enumValues === '' ? 'string' : 'enum',
    enumValues,
    jsonSchema: '',
    description,
  })
  const stateKeys = ['next', 'instructions', ...(summarises ? ['summarization'] : [])]
  draft.add(
    step,
    labelOf(node),
    node.position,
    modelInputs('llm', {
      Model: model.name,
      ModelConfig: model.inputs,
      Messages: messagesWith(text, []),
      EnableMemory: true,
      UserMessage: summarises
        ? `${asked}\nRemember to give reasonings, instructions and summarization`
        : asked,
      ReturnResponseAs: 'assistantMessage',
      StructuredOutput: [
        field('reasoning', ''),
        field('next', '', options),
        field('instructions', 'The specific instructions of the sub-task the next role should accomplish.'),
        ...(summarises ? [field('summarization', 'Summarization of the conversation')] : []),
      ],
      UpdateState: stateKeys.map((key) => ({ key, value: `{{output.${key}}}` })),
    }),
  )
  draft.became(step, node)
  draft.say(
    { id: step, label: labelOf(node) },
    'changed',
    'It chooses the next worker by a JSON answer, not by a tool',
  )
  const limit = Number(node.inputs.recursionLimit)
  if (limit > 2 * MOST_ROUNDS)
    draft.say({ id: step, label: labelOf(node) }, 'changed', `The most rounds here are ${MOST_ROUNDS}`, {
      input: 'recursionLimit',
    })
}

function addWorker(
  node: OldNode,
  step: string,
  position: OldNode['position'],
  names: readonly string[],
  context: Context,
): void {
  const { draft, variableOf } = context
  const values = new Map([
    ['team_members', names.join(', ')],
    ...promptValues(node.inputs.promptValues, variableOf),
  ])
  const model = modelOf(node, context, step)
  const prompt = `${written(node.inputs.workerPrompt)}${OF_A_TEAM}`
  const { text, unknown } = promptText(prompt, values, variableOf, 'workerPrompt')
  for (const name of unknown)
    draft.say(
      { id: step, label: labelOf(node) },
      'needed',
      `The prompt names {${name}}, which has no value`,
      {
        input: 'workerPrompt',
        instead: 'Write the value in its place, or a variable such as {{question}}',
      },
    )
  const iterations = Number(node.inputs.maxIterations)
  draft.add(step, labelOf(node), position, {
    ...modelInputs('agent', {
      Model: model.name,
      ModelConfig: model.inputs,
      Messages: messagesWith(text, []),
      EnableMemory: true,
      UserMessage: '{{$flow.state.instructions}}',
      ReturnResponseAs: 'userMessage',
      UpdateState: [{ key: 'answer', value: '{{output}}' }],
    }),
    ...toolsOf(node, false, context, step),
    ...(Number.isInteger(iterations) && iterations > 0 ? { agentMaxIterations: iterations } : {}),
  })
  draft.became(step, node)
}
