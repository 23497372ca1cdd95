import type { SourceTraceAnswer } from '../../../../src/api/source-trace.ts'
import { countText } from '../../../parts/units.ts'
import styles from './document-screen.module.css'
import { missingRows, traceText } from './trace-text.ts'

type TraceHeadProps = {
  trace: SourceTraceAnswer | undefined
  isPending: boolean
  /** Whether only what is missing is shown. */
  onlyMissing: boolean
  onOnlyMissing(only: boolean): void
}

/** How much of the text is in no chunk, as a filter. */
export function TraceHead({ trace, isPending, onlyMissing, onOnlyMissing }: TraceHeadProps) {
  if (isPending) return <span className={styles.share}>Following its words…</span>
  if (!trace?.placed) return null
  const { characters, known, edited } = trace
  const hasRows = missingRows(trace).length > 0
  return (
    <>
      {hasRows || onlyMissing ? (
        <button
          type="button"
          className={styles.share}
          aria-pressed={onlyMissing}
          data-missing={(characters.none ?? 0) > 0}
          title="Show only what is in no chunk"
          onClick={() => onOnlyMissing(!onlyMissing)}
        >
          {traceText(trace)}
        </button>
      ) : (
        <span
          className={styles.share}
          title={known ? undefined : 'An earlier release loaded it: load the document again to know.'}
        >
          {traceText(trace)}
        </span>
      )}
      {edited > 0 ? (
        <span className={styles.share} title="They count as the text that the document has there">
          {countText(edited, 'chunk')} changed by hand
        </span>
      ) : null}
    </>
  )
}
