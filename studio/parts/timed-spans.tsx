import type { ReactNode } from 'react'
import type { Span } from '../server/executions.ts'
import { axisOf, depthsOf, type Place } from './run-axis.ts'
import { STEP_STATES } from './step-states.ts'
import { TextBlock } from './text-block.tsx'
import styles from './timed-spans.module.css'
import { countText, millisecondsText, numberText } from './units.ts'
import work from './work-list.module.css'

const KINDS = { node: 'Node', model: 'Model', tool: 'Tool', search: 'Search', wait: 'Wait', stage: 'Stage' }

type TimedSpansProps<S extends Span> = {
  spans: readonly S[]
  omittedSpans: number
  /** How long the run has gone on, in ms. */
  elapsed: number
  bodyOf(span: S): ReactNode
  /** The id of the step that is marked. */
  current?: number | undefined
  /** Called when an entry is opened. */
  onOpen?(span: S): void
}

/** What a run did, in order, on one time axis. Each entry has its times as text too, and opens to its facts. */
export function TimedSpans<S extends Span>({
  spans,
  omittedSpans,
  elapsed,
  bodyOf,
  current,
  onOpen,
}: TimedSpansProps<S>) {
  const { length, place } = axisOf(spans, elapsed)
  const depths = depthsOf(spans)
  return (
    <div className={styles.run}>
      <p className={styles.scale} aria-hidden="true">
        <span>0</span>
        <span>{millisecondsText(length)}</span>
      </p>
      <ol className={work.list} aria-label="Steps">
        {spans.map((span) => (
          <li key={span.id} aria-current={span.id === current ? 'step' : undefined}>
            <SpanView
              span={span}
              depth={depths.get(span.id) ?? 0}
              place={place(span)}
              onOpen={() => onOpen?.(span)}
            >
              {bodyOf(span)}
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

type SpanViewProps = { span: Span; depth: number; place: Place; onOpen(): void; children: ReactNode }

function SpanView({ span, depth, place, onOpen, children }: SpanViewProps) {
  const { kind, status, name, offset, ms } = span
  const { icon: Icon, word } = STEP_STATES[status]
  return (
    <details
      className={`${work.item} ${styles.span}`}
      data-state={status}
      data-kind={kind}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen()}
    >
      <summary>
        <span className={`${work.line} ${styles.line}`} style={{ paddingLeft: `${depth * 18}px` }}>
          <Icon className={work.icon} role="img" aria-label={word} />
          <span className={styles.kind}>{KINDS[kind]}</span>
          <span className={`${work.name} ${styles.name}`} title={name}>
            {labelOf(span)}
          </span>
          {span.recorded ? <span className={work.fact}>from the record</span> : null}
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

/** What is known of a call, a search, or what a node did in an upsert. */
export function SpanBody({ span }: { span: Span }) {
  const { kind, name, error, purpose, inputTokens, outputTokens, input, output, query, sources, decision } =
    span
  const { calls = [], counts = {}, cut } = span
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
        {Object.entries(counts).map(([what, count]) => (
          <Fact key={what} name={`${what[0]!.toUpperCase()}${what.slice(1)}`} value={count} />
        ))}
        <Fact name="Decision" value={decision && (decision === 'proceed' ? 'Approved' : 'Rejected')} />
      </dl>
      <TextBlock label="Input from the model" value={input} />
      <TextBlock label={kind === 'model' ? 'Written' : 'Output to the model'} value={output} />
      {calls.map((call) => (
        <TextBlock key={call.id} label={`Asks for ${call.name}`} value={call.input} />
      ))}
      {cut ? <p className={styles.quiet}>Its texts were too long to be kept whole.</p> : null}
      <TextBlock label="Searched" value={query} />
      {sources && sources.length > 0 ? (
        <ol className={styles.sources} aria-label="Best sources">
          {sources.map(({ source, score, vector, keyword, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several chunks may have one source; the list does not change
            <li key={at}>
              <span>{source === '' ? 'no name' : source}</span>
              {score === undefined ? null : <span className={work.fact}>{score.toFixed(3)}</span>}
              <Sides vector={vector} keyword={keyword} />
              {text ? <span className={styles.found}>{text}</span> : null}
            </li>
          ))}
        </ol>
      ) : null}
    </>
  )
}

/** How each side of a search scored a hit. */
function Sides({
  vector,
  keyword,
}: {
  vector: number | null | undefined
  keyword: number | null | undefined
}) {
  if (vector === undefined && keyword === undefined) return null
  const text = (score: number | null | undefined) => (score == null ? 'not found' : score.toFixed(3))
  return (
    <span className={work.fact}>
      {' '}
      vector {text(vector)}, keyword {text(keyword)}
    </span>
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

function factOf({ kind, inputTokens, outputTokens, hits, httpStatus, counts = {} }: Span): string {
  if (kind === 'stage') return stageFact(counts)
  if (kind === 'search' && hits !== undefined) return countText(hits, 'hit')
  if (kind === 'tool' && httpStatus !== undefined) return `HTTP ${httpStatus}`
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  return tokens > 0 ? `${numberText(tokens)} tokens` : ''
}

/** What passed a node of an upsert, as far as it fits in a line. */
function stageFact({ chunks = 0, embedded = 0, files = 0 }: Record<string, number>): string {
  if (embedded > 0) return `${numberText(embedded)} embedded`
  return chunks > 0 ? countText(chunks, 'chunk') : files > 0 ? countText(files, 'file') : ''
}
