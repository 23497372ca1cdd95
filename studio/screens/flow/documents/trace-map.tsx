import { type KeyboardEvent, useMemo } from 'react'
import type { SourceTraceAnswer, TraceBandAnswer } from '../../../../src/api/source-trace.ts'
import { numberText } from '../../../parts/units.ts'
import { bandAt, type BandKind, mapRuns } from './map-runs.ts'
import styles from './trace-map.module.css'

type TraceMapProps = {
  trace: SourceTraceAnswer
  /** The part of the text that is shown. */
  span: { start: number; end: number } | undefined
  onPlace(position: number): void
}

const WORDS: Readonly<Record<BandKind, string>> = {
  none: 'in no chunk',
  several: 'in several chunks',
  one: 'in one chunk',
  blank: 'blank',
}

/** How many pixels a line of a short text has at most. */
const TALLEST_LINE = 3

/** A thin map of a text, one pixel a line where there is room: in one chunk, in several, in none. A click or a key leads to a place. */
export function TraceMap({ trace, span, onPlace }: TraceMapProps) {
  const { bands, lines } = trace
  const runs = useMemo(() => mapRuns(bands), [bands])
  const last = bands.at(-1)
  if (!last) return null
  const first = bandAt(bands, span?.start ?? 0)
  const end = bandAt(bands, Math.max(0, (span?.end ?? 0) - 1))
  const shown = { top: linesBefore(bands, first), bottom: linesBefore(bands, end) + bands[end]!.lines }
  const go = (band: number) => onPlace(bands[Math.min(bands.length - 1, Math.max(0, band))]!.start)
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.round(bands.length / 20))
    const next = {
      ArrowDown: end + 1,
      ArrowUp: first - 1,
      PageDown: first + page,
      PageUp: first - page,
      Home: 0,
      End: bands.length - 1,
      n: nextMissing(bands, end),
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    go(next)
  }
  return (
    <div
      className={styles.map}
      role="slider"
      tabIndex={0}
      aria-label="Map of the text"
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={lines.all}
      aria-valuenow={bands[first]!.line}
      aria-valuetext={`line ${numberText(bands[first]!.line)} of ${numberText(lines.all)}, ${WORDS[runs.find(({ top, bottom }) => top <= shown.top && shown.top < bottom)?.kind ?? 'blank']}`}
      aria-keyshortcuts="n"
      title="One pixel a line: in one chunk, in several, in none. Click to go there; n leads to the next words in no chunk"
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const box = event.currentTarget.firstElementChild!.getBoundingClientRect()
        const line = ((event.clientY - box.top) / Math.max(1, box.height)) * lines.all
        go(bands.findLastIndex((band) => band.line - 1 <= line))
      }}
    >
      <svg
        viewBox={`0 0 10 ${lines.all}`}
        preserveAspectRatio="none"
        style={{ maxHeight: lines.all * TALLEST_LINE }}
        aria-hidden="true"
      >
        {runs.map(({ kind, top, bottom }) => (
          <rect
            key={top}
            data-kind={kind}
            x={kind === 'none' ? 0 : 2}
            width={kind === 'none' ? 10 : 6}
            y={top}
            height={bottom - top}
          />
        ))}
        {span ? (
          <rect className={styles.shown} x={0} width={10} y={shown.top} height={shown.bottom - shown.top} />
        ) : null}
      </svg>
    </div>
  )
}

const linesBefore = (bands: readonly TraceBandAnswer[], at: number) => bands[at]!.line - 1

/** The next band behind a place with words in no chunk, from the beginning again after the last; undefined where there is none. */
function nextMissing(bands: readonly TraceBandAnswer[], after: number): number | undefined {
  const behind = bands.findIndex(({ none }, at) => at > after && none > 0)
  const found = behind >= 0 ? behind : bands.findIndex(({ none }) => none > 0)
  return found < 0 ? undefined : found
}
