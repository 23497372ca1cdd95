import { CircleAlert, CircleCheck, CircleStop, Hourglass, LoaderCircle } from 'lucide-react'
import type { ExecutedNode, UsedTool } from '../server/chat.ts'
import styles from './run-steps.module.css'
import { TextBlock } from './text-block.tsx'
import { ToolCalls } from './tool-calls.tsx'
import { countText, millisecondsText, numberText } from './units.ts'

type Step = Pick<ExecutedNode, 'nodeId' | 'nodeLabel' | 'status'> & Partial<ExecutedNode>

const STATES = {
  INPROGRESS: { icon: LoaderCircle, word: 'running' },
  FINISHED: { icon: CircleCheck, word: 'finished' },
  STOPPED: { icon: Hourglass, word: 'waits for a person' },
  ERROR: { icon: CircleAlert, word: 'failed' },
  TERMINATED: { icon: CircleStop, word: 'stopped' },
}

/** The steps of a run in order; each opens to its input, output and tool calls. */
export function RunSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
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
  const { icon: Icon, word } = STATES[status]
  const { tools, tokens } = outputOf(data)
  return (
    <details className={styles.step} data-state={status}>
      <summary>
        <Icon className={styles.icon} role="img" aria-label={word} />
        <span className={styles.label} title={nodeId}>
          {nodeLabel}
        </span>
        <span className={styles.gap} />
        {tools.length > 0 ? <span className={styles.fact}>{countText(tools.length, 'call')}</span> : null}
        {typeof tokens === 'number' ? <span className={styles.fact}>{numberText(tokens)} tokens</span> : null}
        <span className={styles.fact}>{timeMetadata ? millisecondsText(timeMetadata.delta) : word}</span>
      </summary>
      <div className={styles.body}>
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
      {error === undefined ? null : <p className={styles.problem}>{error}</p>}
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
