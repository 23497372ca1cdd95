import type { StepPart } from '../../contract/step.ts'
import type { JsonObject } from '../../kit/json.ts'
import { recordedOutput } from '../run-spans.ts'
import type { StepContext, StepResult } from './step-context.ts'
import { runCondition } from './steps/condition.ts'
import { runConditionAgent } from './steps/condition-agent.ts'
import { runCustomFunction } from './steps/custom-function.ts'
import { runExecuteFlow } from './steps/execute-flow.ts'
import { runHttp } from './steps/http.ts'
import { runHumanInput } from './steps/human-input.ts'
import { runIteration } from './steps/iteration.ts'
import { runModel } from './steps/model.ts'
import { runRetriever } from './steps/retriever.ts'
import { runTool } from './steps/tool.ts'

/** Runs one node of an agent flow. */
export async function runStep(step: StepPart, context: StepContext): Promise<StepResult> {
  switch (step.type) {
    case 'start':
      return start(step, context)
    case 'model':
      return runModel(step, context)
    case 'directReply':
      return directReply(step, context)
    case 'condition':
      return runCondition(step)
    case 'conditionAgent':
      return runConditionAgent(step, context)
    case 'http':
      return recordedResult(context) ?? runHttp(step, context)
    case 'retriever':
      return runRetriever(step, context)
    case 'tool':
      return runTool(step, context)
    case 'humanInput':
      return runHumanInput(step, context)
    case 'iteration':
      return runIteration(step, context)
    case 'executeFlow':
      return runExecuteFlow(step, context)
    case 'customFunction':
      return recordedResult(context, step.updateState) ?? runCustomFunction(step, context)
    case 'loop':
      return loop(step, context)
  }
}

/** Nodes whose work reaches others: a repeated run takes what they gave from its record. */
export const reachesOthers = ({ type }: StepPart): boolean => type === 'http' || type === 'customFunction'

/** What the node gave in the run that is repeated; undefined where it works. */
function recordedResult(
  { node }: StepContext,
  updateState: StepResult['updateState'] = [],
): StepResult | undefined {
  const output = recordedOutput(node.id)
  return output === undefined ? undefined : { output: JSON.parse(output) as JsonObject, updateState }
}

type Step<T extends StepPart['type']> = Extract<StepPart, { type: T }>

function start({ state }: Step<'start'>, { run }: StepContext): StepResult {
  return {
    output: { content: run.asked.text, ...(Object.keys(run.form).length > 0 ? { form: run.form } : {}) },
    // A state that an earlier run of the session left goes before.
    updateState: state.filter(({ key }) => !Object.hasOwn(run.state, key)),
  }
}

async function directReply(
  { message }: Step<'directReply'>,
  { last, emit }: StepContext,
): Promise<StepResult> {
  if (last) await emit({ event: 'token', data: message })
  return { output: { content: message }, messages: [{ role: 'apiMessage', content: message }] }
}

/** Jumps back to a node. When the maximum count is reached, it answers with its fallback text. */
async function loop(
  { to, maxCount, fallback, updateState }: Step<'loop'>,
  { run, node, last, emit }: StepContext,
): Promise<StepResult> {
  const count = run.loops[node.id] ?? 0
  if (count < maxCount)
    return { output: { content: `Loop back to ${to}`, maxLoopCount: maxCount }, goTo: to, updateState }
  if (last && fallback !== '') await emit({ event: 'token', data: fallback })
  return { output: { content: fallback, maxLoopCount: maxCount }, updateState }
}
