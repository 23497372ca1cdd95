import type { StepPart } from '../../../contract/step.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { runToolCall, toolsByName } from '../../tool-calls.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'tool' }>

/** Calls the tool that the node selects. */
export async function runTool(
  step: Step,
  { parts, callContext, node, signal }: StepContext,
): Promise<StepResult> {
  const tools = toolsByName(await parts.make('tools', step.tool).tools(signal))
  const [name, ...others] = tools.keys()
  if (name === undefined || others.length > 0)
    throw new SluiceError('flow_invalid', {
      reason: `${node.label} has ${tools.size} tools and needs exactly one`,
    })
  const call = { id: node.id, name, input: JSON.stringify(step.input) }
  const { output, used, documents } = await runToolCall(call, tools, callContext, signal)
  return {
    input: { toolInputArgs: step.input },
    output: { content: output, usedTools: [used] },
    usedTools: [used],
    documents,
    updateState: step.updateState,
  }
}
