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

/**
 * The steps of a run in order; each opens to its input, output and tool calls.
 *
 * @param timeline shows when each step ran within the run
 */
export function RunSteps({ steps, timeline = false }: { steps: readonly Step[]; timeline?: boolean }) {
  const times = steps.flatMap(({ timeMetadata }) => timeMetadata ?? [])
  const from = Math.min(...times.map(({ start }) => start))
  const length = Math.max(1, Math.max(...times.map(({ end }) => end)) - from)
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a node may run several times; steps are added at the end
        <li key={at}>
          <StepView step={step} span={timeline ? spanOf(step, from, length) : undefined} />
        </li>
      ))}
    </ol>
  )
}

/** Where a step stands in the run, in percent. */
function spanOf({ timeMetadata }: Step, from: number, length: number) {
  if (!timeMetadata) return undefined
  const { start, end } = timeMetadata
  return { left: ((start - from) / length) * 100, width: Math.max(1, ((end - start) / length) * 100) }
}

function StepView({ step, span }: { step: Step; span: { left: number; width: number } | undefined }) {
  const { nodeLabel, nodeId, status, data, timeMetadata } = step
  const { icon: Icon, word } = STATES[status]
  const output = isObject(data?.output) ? data.output : {}
  const { usedTools, usageMetadata, timeMetadata: _, ...shown } = output
  const tools = Array.isArray(usedTools) ? (usedTools as unknown as UsedTool[]) : []
  const tokens = isObject(usageMetadata) ? usageMetadata.total_tokens : undefined
  const error = typeof data?.error === 'string' ? data.error : undefined
  return (
    <details className={styles.step} data-state={status}>
      <summary>
        <Icon className={styles.icon} role="img" aria-label={word} />
        <span className={styles.label} data-timeline={span !== undefined} title={nodeId}>
          {nodeLabel}
        </span>
        {span ? (
          <span className={styles.track} aria-hidden="true">
            <span className={styles.bar} style={{ left: `${span.left}%`, width: `${span.width}%` }} />
          </span>
        ) : (
          <span className={styles.gap} />
        )}
        {tools.length > 0 ? <span className={styles.fact}>{countText(tools.length, 'call')}</span> : null}
        {typeof tokens === 'number' ? <span className={styles.fact}>{numberText(tokens)} tokens</span> : null}
        <span className={styles.fact}>{timeMetadata ? millisecondsText(timeMetadata.delta) : word}</span>
      </summary>
      <div className={styles.body}>
        {error === undefined ? null : <p className={styles.problem}>{error}</p>}
        <TextBlock label="Input" value={data?.input} />
        <ToolCalls calls={tools} />
        <TextBlock label="Output" value={Object.keys(shown).length > 0 ? shown : undefined} />
        <TextBlock label="State" value={hasMembers(data?.state) ? data?.state : undefined} />
        {data === undefined ? <p>Nothing is known of this step yet.</p> : null}
      </div>
    </details>
  )
}

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
