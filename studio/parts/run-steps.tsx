import type { ExecutedNode, UsedTool } from '../server/chat.ts'
import { STEP_STATES } from './step-states.ts'
import { TextBlock } from './text-block.tsx'
import { ToolCalls } from './tool-calls.tsx'
import { countText, millisecondsText, numberText } from './units.ts'
import work from './work-list.module.css'

type Step = Pick<ExecutedNode, 'nodeId' | 'nodeLabel' | 'status'> & Partial<ExecutedNode>

/** The steps of a run in order; each opens to its input, output and tool calls. */
export function RunSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={work.list} aria-label="Steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a node may run several times; steps are added at the end
        <li key={at}>
          <StepView step={step} />
        </li>
      ))}
    </ol>
  )
}

function StepView({ step }: { step: Step }) {
  const { nodeLabel, nodeId, status, data, timeMetadata } = step
  const { icon: Icon, word } = STEP_STATES[status]
  const { tools, tokens } = outputOf(data)
  return (
    <details className={work.item} data-state={status}>
      <summary className={work.line}>
        <Icon className={work.icon} role="img" aria-label={word} />
        <span className={work.name} title={nodeId}>
          {nodeLabel}
        </span>
        <span className={work.gap} />
        {tools.length > 0 ? <span className={work.fact}>{countText(tools.length, 'call')}</span> : null}
        {typeof tokens === 'number' ? <span className={work.fact}>{numberText(tokens)} tokens</span> : null}
        <span className={work.fact}>{timeMetadata ? millisecondsText(timeMetadata.delta) : word}</span>
      </summary>
      <div className={work.body}>
        <StepBody data={data} />
      </div>
    </details>
  )
}

/** What a step was given, what it did, and what came of it. */
export function StepBody({ data }: { data?: Step['data'] | undefined }) {
  const { tools, shown } = outputOf(data)
  const error = typeof data?.error === 'string' ? data.error : undefined
  return (
    <>
      {error === undefined ? null : <p className={work.problem}>{error}</p>}
      <TextBlock label="Input" value={data?.input} />
      <ToolCalls calls={tools} />
      <TextBlock label="Output" value={Object.keys(shown).length > 0 ? shown : undefined} />
      <TextBlock label="State" value={hasMembers(data?.state) ? data?.state : undefined} />
      {data === undefined ? <p>Nothing is known of this step yet.</p> : null}
    </>
  )
}

/** The output of a step: its tool calls, its tokens, and the rest. */
function outputOf(data: Step['data'] | undefined) {
  const output = isObject(data?.output) ? data.output : {}
  const { usedTools, usageMetadata, timeMetadata: _, ...shown } = output
  return {
    tools: Array.isArray(usedTools) ? (usedTools as unknown as UsedTool[]) : [],
    tokens: isObject(usageMetadata) ? usageMetadata.total_tokens : undefined,
    shown,
  }
}

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
