import type { ReactNode } from 'react'
import { StepBody } from '../../parts/run-steps.tsx'
import { STEP_STATES } from '../../parts/step-states.ts'
import { TextBlock } from '../../parts/text-block.tsx'
import { countText, millisecondsText, numberText } from '../../parts/units.ts'
import work from '../../parts/work-list.module.css'
import type { ExecutedNode } from '../../server/chat.ts'
import type { Execution, Span } from '../../server/executions.ts'
import { axisOf, depthsOf, type Place } from './run-axis.ts'
import styles from './span-list.module.css'

const KINDS = { node: 'Node', model: 'Model', tool: 'Tool', search: 'Search', wait: 'Wait' }

/** What a run did, in order, on one time axis. Each entry has its times as text too, and opens to its facts. */
export function SpanList({ execution }: { execution: Execution }) {
  const { spans, omittedSpans, createdDate, updatedDate } = execution
  const { length, place } = axisOf(spans, Date.parse(updatedDate) - Date.parse(createdDate))
  const depths = depthsOf(spans)
  return (
    <div className={styles.run}>
      <p className={styles.scale} aria-hidden="true">
        <span>0</span>
        <span>{millisecondsText(length)}</span>
      </p>
      <ol className={work.list} aria-label="Steps">
        {spans.map((span) => (
          <li key={span.id}>
            <SpanView span={span} depth={depths.get(span.id) ?? 0} place={place(span)}>
              {span.kind === 'node' ? <StepBody {...nodeOf(execution, span)} /> : <SpanBody span={span} />}
            </SpanView>
          </li>
        ))}
      </ol>
      {omittedSpans > 0 ? (
        <p className={styles.quiet}>
          {countText(omittedSpans, 'later step')} not kept: the run has too many.
        </p>
      ) : null}
    </div>
  )
}

type SpanViewProps = { span: Span; depth: number; place: Place; children: ReactNode }

function SpanView({ span, depth, place, children }: SpanViewProps) {
  const { kind, status, name, offset, ms } = span
  const { icon: Icon, word } = STEP_STATES[status]
  return (
    <details className={`${work.item} ${styles.span}`} data-state={status} data-kind={kind}>
      <summary>
        <span className={`${work.line} ${styles.line}`} style={{ paddingLeft: `${depth * 18}px` }}>
          <Icon className={work.icon} role="img" aria-label={word} />
          <span className={styles.kind}>{KINDS[kind]}</span>
          <span className={`${work.name} ${styles.name}`} title={name}>
            {labelOf(span)}
          </span>
          <span className={work.fact}>{factOf(span)}</span>
          <span className={work.fact}>
            at {millisecondsText(offset)}
            {ms === undefined ? '' : `, ${millisecondsText(ms)}`}
          </span>
        </span>
        <span className={styles.track} aria-hidden="true">
          <span className={styles.bar} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
        </span>
      </summary>
      <div className={work.body}>{children}</div>
    </details>
  )
}

function SpanBody({ span }: { span: Span }) {
  const { kind, name, error, purpose, inputTokens, outputTokens, input, output, query, sources, decision } =
    span
  return (
    <>
      {error ? (
        <p className={work.problem}>
          {error.message} <code>{error.code}</code>
        </p>
      ) : null}
      <dl className={styles.details}>
        <Fact name={kind === 'search' ? 'Namespace' : KINDS[kind]} value={name} />
        <Fact name="Called to" value={purpose} />
        <Fact name="Tokens read" value={inputTokens} />
        <Fact name="Tokens written" value={outputTokens} />
        <Fact name="Decision" value={decision && (decision === 'proceed' ? 'Approved' : 'Rejected')} />
      </dl>
      <TextBlock label="Input from the model" value={input} />
      <TextBlock label="Output to the model" value={output} />
      <TextBlock label="Searched" value={query} />
      {sources && sources.length > 0 ? (
        <ol className={styles.sources} aria-label="Best sources">
          {sources.map(({ source, score }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several chunks may have one source; the list does not change
            <li key={at}>
              <span>{source === '' ? 'no name' : source}</span>
              {score === undefined ? null : <span className={work.fact}>{score.toFixed(3)}</span>}
            </li>
          ))}
        </ol>
      ) : null}
    </>
  )
}

function Fact({ name, value }: { name: string; value: string | number | undefined }) {
  if (value === undefined) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof value === 'number' ? numberText(value) : value}</dd>
    </div>
  )
}

/** What stands in the line of a span. */
function labelOf({ kind, name, query, purpose, decision }: Span): string {
  if (kind === 'search') return query ?? name
  if (kind === 'wait') return decision === 'reject' ? 'A person rejected' : 'A person approved'
  if (kind !== 'model') return name
  const model = name.split(' at ')[0]!
  return purpose ? `${model}, to ${purpose}` : model
}

function factOf({ kind, inputTokens, outputTokens, hits, httpStatus }: Span): string {
  if (kind === 'search' && hits !== undefined) return countText(hits, 'hit')
  if (kind === 'tool' && httpStatus !== undefined) return `HTTP ${httpStatus}`
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  return tokens > 0 ? `${numberText(tokens)} tokens` : ''
}

/** The record of the node of a span: a node that ran several times has one for each, one that waited has one in all. */
function nodeOf({ executionData, spans }: Execution, { id, nodeId }: Span): Partial<ExecutedNode> {
  const records = executionData.filter((node) => node.nodeId === nodeId)
  const before = spans.filter((span) => span.kind === 'node' && span.nodeId === nodeId && span.id < id).length
  return records[before] ?? records.at(-1) ?? {}
}
