import { SluiceError } from '../../../kit/errors.ts'
import type { JsonObject } from '../../../kit/json.ts'
import type { Catalog } from '../../catalog.ts'
import type { ReportRow } from '../../check/report-row.ts'
import type { ImportReport } from '../report.ts'
import { referencesIn } from '../../graph.ts'
import { isConditionAgentStep, translateCondition, translateConditionAgent } from './conditions.ts'
import type { Context, Translated } from './context.ts'
import { type Draft, newDraft } from './draft.ts'
import { addEndings } from './endings.ts'
import { addLoop } from './loops.ts'
import { labelOf, translateModelNode } from './model-steps.ts'
import {
  isCondition,
  type OldDrawing,
  type OldNode,
  oldNodesNamed,
  pluggedNodes,
  readOldDrawing,
} from './old-drawing.ts'
import { addFunction, translateExecuteFlow, translateFunction } from './other-steps.ts'
import { declaredKeys, writtenRows } from './state.ts'
import type { StateKey } from './state-key.ts'
import { addTeam, TEAM_STATE, tryStep } from './team.ts'
import { Untranslatable } from './untranslatable.ts'

/** The steps of what nodes of the sequence become. */
const STEP_OF: Readonly<Record<string, string>> = {
  seqAgent: 'agentAgentflow',
  seqLLMNode: 'llmAgentflow',
  seqCondition: 'conditionAgentflow',
  seqCustomFunction: 'customFunctionAgentflow',
  seqExecuteFlow: 'executeFlowAgentflow',
  seqLoop: 'loopAgentflow',
}

/**
 * Translates a drawing of an agent flow of version 1 into steps of version 2. A node that cannot be translated stays as it is, with a
 * line that says why.
 *
 * @returns the drawing, the nodes that became steps, and a line for everything else that changed
 * @throws SluiceError `flow_invalid` without one beginning, or where nodes lead in a circle
 */
export function translateVersion1(
  drawing: JsonObject & { nodes: JsonObject[] },
  catalog: Catalog,
): {
  drawing: JsonObject & { nodes: JsonObject[] }
  rows: ReportRow[]
  replaced: ImportReport['replaced']
} {
  const old = readOldDrawing(drawing)
  const draft = newDraft(catalog, new Set(old.nodes.keys()))
  const first = firstNode(old)
  const stepIds = reserveSteps(old, draft)
  const toolNodes = new Map(
    oldNodesNamed(old, 'seqToolNode').flatMap((node) =>
      pluggedNodes(old, node, 'llmNode').map(({ id }): [string, OldNode] => [id, node]),
    ),
  )
  const functions = functionsInPrompts(old)
  for (const { id } of functions) stepIds.set(id, draft.reserve('customFunctionAgentflow'))
  const state = stateOf(old, first)
  const context: Context = {
    old,
    catalog,
    draft,
    keys: state.keys,
    variableOf: (id) => variableOfNode(old, stepIds, id),
    startModel: pluggedNodes(old, first, 'model')[0],
    messageBefore: (id) => messageBefore(old, stepIds, id),
  }
  let last = addStart(first, state, context)
  for (const [index, node] of functions.entries()) {
    const step = stepIds.get(node.id)!
    const before = last
    const { x, y } = first.position
    const position = first.name === 'supervisor' ? { x: x - 300, y: y + 160 * index } : node.position
    if (tryStep(node, before, context, () => addFunction(node, step, position, context))) {
      draft.connect(before, 0, step)
      last = step
    }
  }
  if (first.name === 'supervisor') addTeam(last, context)
  else addSequence(first, last, { stepIds, toolNodes, context })
  const { nodes, edges, rows, replaced } = draft.drawn()
  return {
    drawing: { ...drawing, nodes: [...nodes, ...old.notes], edges },
    rows: [...rows, ...absorbedRows(old)],
    replaced,
  }
}

/** The Start node or the supervisor. @throws SluiceError `flow_invalid` without one, or with several */
function firstNode(old: OldDrawing): OldNode {
  const starts = oldNodesNamed(old, 'seqStart')
  const supervisors = oldNodesNamed(old, 'supervisor')
  if (starts.length === 0 && supervisors.length === 0)
    throw new SluiceError('flow_invalid', {
      reason: 'it has neither a Start node nor a supervisor',
      hint: 'Draw the first node of the sequence (seqStart), or the supervisor of the workers',
    })
  if (starts.length > 1 || (starts.length > 0 && supervisors.length > 0))
    throw new SluiceError('flow_invalid', {
      reason: `it begins ${starts.length + supervisors.length} times: ${[...starts, ...supervisors].map(({ id }) => id).join(', ')}`,
      hint: 'Make a flow of each',
    })
  return starts[0] ?? supervisors[0]!
}

/** The ids of the steps, before any is drawn: prompts name nodes that come later. A Tool node is a part of its LLM node. */
function reserveSteps(old: OldDrawing, draft: Draft): Map<string, string> {
  const withTools = new Set(
    oldNodesNamed(old, 'seqToolNode').flatMap((node) =>
      pluggedNodes(old, node, 'llmNode').map(({ id }) => id),
    ),
  )
  const ids = new Map<string, string>()
  for (const node of old.nodes.values()) {
    const step =
      node.name === 'seqConditionAgent'
        ? isConditionAgentStep(node)
          ? 'conditionAgentAgentflow'
          : 'llmAgentflow'
        : withTools.has(node.id)
          ? 'agentAgentflow'
          : STEP_OF[node.name]
    if (step !== undefined) ids.set(node.id, draft.reserve(step))
  }
  return ids
}

/** Nodes with code of chat flows, whose values prompts take. */
function functionsInPrompts(old: OldDrawing): OldNode[] {
  const inPrompts = new Set(
    [...old.nodes.values()].flatMap(({ inputs }) => [
      ...referencesIn(inputs.promptValues),
      ...referencesIn(inputs.functionInputVariables),
    ]),
  )
  return oldNodesNamed(old, 'customFunction').filter(({ id }) => inPrompts.has(id))
}

function variableOfNode(old: OldDrawing, ids: ReadonlyMap<string, string>, id: string): string | undefined {
  const node = old.nodes.get(id)
  if (node?.name !== 'seqToolNode') return ids.get(id)
  const [model] = pluggedNodes(old, node, 'llmNode')
  const step = model && ids.get(model.id)
  return step === undefined ? undefined : `${step}.output.usedTools[-1].toolOutput`
}

/** The nodes that said the last message before a node: conditions say nothing. */
function speakersBefore(old: OldDrawing, id: string): OldNode[] {
  const found = new Set<OldNode>()
  const seen = new Set([id])
  const open = [id]
  for (const one of open)
    for (const { from } of old.into.get(one) ?? []) {
      if (seen.has(from)) continue
      seen.add(from)
      const node = old.nodes.get(from)!
      if (isCondition(node)) open.push(from)
      else found.add(node)
    }
  return [...found]
}

function messageBefore(old: OldDrawing, ids: ReadonlyMap<string, string>, id: string): string {
  const [speaker, ...others] = speakersBefore(old, id)
  if (speaker === undefined || others.length > 0) return 'runtime_messages[-1].content'
  if (speaker.name === 'seqStart') return 'question'
  const [model] = speaker.name === 'seqToolNode' ? pluggedNodes(old, speaker, 'llmNode') : [speaker]
  return (model && ids.get(model.id)) ?? 'runtime_messages[-1].content'
}

type State = { node: OldNode | undefined; keys: StateKey[]; failure: Untranslatable | undefined }

/** The keys of the State node, and those that nodes write without it. */
function stateOf(old: OldDrawing, first: OldNode): State {
  if (first.name === 'supervisor') return { node: undefined, keys: TEAM_STATE, failure: undefined }
  const node = pluggedNodes(old, first, 'state')[0]
  let failure: Untranslatable | undefined
  const keys = new Map<string, StateKey>()
  const note = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error
      failure ??= error
    }
  }
  if (node)
    note(() => {
      for (const one of declaredKeys(node)) keys.set(one.key, one)
    })
  const ofTable = failure
  for (const one of old.nodes.values())
    note(() => {
      for (const { key } of writtenRows(one))
        if (!keys.has(key)) keys.set(key, { key, append: false, initial: '' })
    })
  return { node, keys: [...keys.values()], failure: ofTable }
}

/** Draws the Start step, and the State node where it cannot be translated. Returns the id of the step. */
function addStart(first: OldNode, { node, keys, failure }: State, { old, draft }: Context): string {
  const step = draft.reserve('startAgentflow')
  const remembers = pluggedNodes(old, first, 'agentMemory').length > 0
  const isTeam = first.name === 'supervisor'
  const { x, y } = first.position
  draft.add(step, 'Start', isTeam ? { x: x - 600, y } : first.position, {
    startInputType: 'chatInput',
    startEphemeralMemory: !remembers,
    startState: keys.map(({ key, initial }) => ({ key, value: initial })),
    startPersistState: remembers && keys.length > 0 && !isTeam,
  })
  const start = { id: step, label: 'Start' }
  if (!isTeam) draft.became(step, first)
  if (remembers)
    draft.say(
      start,
      'changed',
      'agentMemory became the conversation that this server keeps, with the state of the session',
      {
        input: 'startPersistState',
      },
    )
  else
    draft.say(
      start,
      'changed',
      'It has no agentMemory: each run begins without the earlier messages of the session',
      {
        input: 'startEphemeralMemory',
      },
    )
  if (node && !failure)
    draft.say(start, 'changed', `${node.name} became the Flow State of the start`, { input: 'startState' })
  for (const moderation of pluggedNodes(old, first, 'inputModeration'))
    draft.say(start, 'dropped', `${moderation.label} does not look at the question`, {
      input: 'inputModeration',
      instead: 'Say in the system message what the agent must not answer',
    })
  if (node && failure)
    tryStep(node, step, { draft } as Context, () => {
      throw failure
    })
  return step
}

/** Draws the nodes of a sequence. */
function addSequence(
  first: OldNode,
  start: string,
  {
    stepIds,
    toolNodes,
    context,
  }: { stepIds: ReadonlyMap<string, string>; toolNodes: ReadonlyMap<string, OldNode>; context: Context },
): void {
  const { old, draft } = context
  const ways = new Map<string, Translated & { hasCode: boolean }>()
  ways.set(first.id, { entry: start, exits: () => [{ from: start, output: 0 }], hasCode: false })
  const kept = new Set<string>()
  for (const node of old.nodes.values()) {
    const step = stepIds.get(node.id)
    if (step === undefined || node.name === 'seqLoop' || node.name === 'customFunction') continue
    try {
      ways.set(
        node.id,
        draft.whole(() => translated(node, step)),
      )
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error
      keep(node, error)
    }
  }
  for (const [id, toolNode] of toolNodes) {
    const way = ways.get(id)
    if (way) ways.set(toolNode.id, { ...way, entry: '' })
    if (!kept.has(id))
      draft.say(
        { id: stepIds.get(id)!, label: labelOf(old.nodes.get(id)!) },
        'changed',
        `${labelOf(toolNode)} (seqToolNode) became its tools`,
        { input: 'agentTools' },
      )
  }
  for (const node of oldNodesNamed(old, 'seqLoop')) {
    const step = stepIds.get(node.id)!
    try {
      draft.whole(() => addLoop(node, step, (id) => ways.get(id)?.entry || undefined, context))
      ways.set(node.id, { entry: step, exits: () => [], hasCode: false })
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error
      keep(node, error)
    }
  }
  for (const node of oldNodesNamed(old, 'seqToolNode'))
    if (!ways.has(node.id) && !kept.has(node.id))
      keep(node, new Untranslatable('llmNode', 'no LLM node plugs into it', 'Plug in the LLM node'))
  for (const { from, output, to } of old.sequence) {
    const entry = ways.get(to)?.entry
    // An LLM node and its Tool node are one step.
    if (entry === undefined || entry === '' || toolNodes.get(from)?.id === to) continue
    for (const exit of ways.get(from)?.exits(output) ?? []) draft.connect(exit.from, exit.output, entry)
  }
  addEndings(ways, { toolNodes, speakersBefore: (id) => speakersBefore(old, id) }, context)

  function translated(node: OldNode, step: string): Translated & { hasCode: boolean } {
    switch (node.name) {
      case 'seqCondition':
        return translateCondition(node, step, context)
      case 'seqConditionAgent':
        return translateConditionAgent(node, step, context)
      case 'seqCustomFunction':
        return translateFunction(node, step, context)
      case 'seqExecuteFlow':
        return translateExecuteFlow(node, step, context)
      default:
        return translateModelNode(node, step, toolNodes.get(node.id), context)
    }
  }

  /** A kept node is reached from the start: else the check takes it for one that takes part in nothing. */
  function keep(node: OldNode, error: Untranslatable): void {
    kept.add(node.id)
    tryStep(node, start, context, () => {
      throw error
    })
  }
}

/** A line for the ends, which no step stands for. */
function absorbedRows(old: OldDrawing): ReportRow[] {
  const ends = oldNodesNamed(old, 'seqEnd').length
  if (ends === 0) return []
  return [
    {
      nodeId: null,
      node: null,
      input: null,
      severity: 'changed',
      what: `${ends === 1 ? 'seqEnd is' : `${ends} nodes seqEnd are`} left out: a branch ends with its last node`,
      instead: null,
    },
  ]
}
