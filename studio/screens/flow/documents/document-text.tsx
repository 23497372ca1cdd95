import { Fragment, type RefObject, useEffect, useMemo } from 'react'
import type { DroppedAnswer } from '../../../../src/api/dropped.ts'
import type { SourceTextAnswer } from '../../../../src/api/source.ts'
import type { TextGapAnswer } from '../../../../src/api/source-trace.ts'
import type { Chunk } from '../../../server/documents.ts'
import styles from './document-screen.module.css'
import { type TextPart, textParts } from './text-parts.ts'
import { reasonText } from './trace-text.ts'

type DocumentTextProps = {
  text: SourceTextAnswer | undefined
  /** The part of the text that the chunks of this page have; undefined where they have no positions. */
  span: { start: number; end: number } | undefined
  chunks: Chunk[]
  selected: string | undefined
  /** The words of the document that are in no chunk. */
  gaps: readonly TextGapAnswer[]
  /** What the reader has left out. */
  dropped: readonly DroppedAnswer[]
  /** The column. */
  place: RefObject<HTMLElement | null>
  onSelect(chunk: string): void
}

/** The text of the chunks on this page: each marked, with the words that are in none, and what was left out at its place. */
export function DocumentText(props: DocumentTextProps) {
  const { text, span, chunks, selected, gaps, dropped, place, onSelect } = props
  const parts = useMemo(
    () => (text && text.start === span?.start ? textParts(text.text, text.start, chunks, gaps) : []),
    [text, span?.start, chunks, gaps],
  )
  const number = chunks.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (number >= 0 && parts.length > 0)
      place.current?.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'center' })
  }, [number, parts, place])
  const end = text === undefined ? 0 : text.start + text.text.length
  const isEnd = parts.length > 0 && text !== undefined && end >= text.total
  return (
    <section className={styles.side} aria-label="Text" data-column="text" ref={place}>
      {span === undefined ? (
        <p className={styles.quiet}>
          It is not known where these chunks are in the text: the record manager names their sources by
          metadata.
        </p>
      ) : (
        <div className={styles.text}>
          {parts.map((part) => {
            const own = part.chunks.includes(number) ? number : part.chunks[0]
            return (
              <Fragment key={part.start}>
                <LeftOutBetween dropped={dropped} from={part.start} to={part.start + part.text.length} />
                {own === undefined ? (
                  <Between part={part} gap={part.gap === undefined ? undefined : gaps[part.gap]} />
                ) : (
                  // biome-ignore lint/a11y/useSemanticElements: a button cannot be a part of a running text
                  <span
                    role="button"
                    tabIndex={part.chunks.includes(own) && isFirst(parts, part, own) ? 0 : -1}
                    className={styles.part}
                    data-chunk={own}
                    data-even={own % 2 === 0}
                    data-shared={part.chunks.length > 1}
                    data-begins={part.begins}
                    data-selected={part.chunks.includes(number)}
                    aria-pressed={part.chunks.includes(number)}
                    onClick={() => onSelect(chunks[own]!.id)}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' && event.key !== ' ') return
                      event.preventDefault()
                      onSelect(chunks[own]!.id)
                    }}
                  >
                    {part.text}
                  </span>
                )}
              </Fragment>
            )
          })}
          {isEnd ? <LeftOutBetween dropped={dropped} from={end} to={Number.POSITIVE_INFINITY} /> : null}
        </div>
      )}
    </section>
  )
}

/** A part that is in no chunk: white space, or words with the reason why. */
function Between({ part, gap }: { part: TextPart; gap: TextGapAnswer | undefined }) {
  if (!gap) return part.text
  const reason = reasonText(gap)
  return (
    <mark className={styles.gap} title={`In no chunk. ${reason}`} data-reason={gap.reason}>
      {gap.text === '' ? `[${reason}]` : part.text}
    </mark>
  )
}

type LeftOutBetweenProps = { dropped: readonly DroppedAnswer[]; from: number; to: number }

/** What the reader has left out at a place of the text. */
const LeftOutBetween = ({ dropped, from, to }: LeftOutBetweenProps) =>
  dropped.map((row, at) =>
    row.position !== null && row.position.start >= from && row.position.start < to ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows stay as they are, and two may be equal
      <span key={at} className={styles.dropped} title="Left out by the reader of the file">
        {row.text}
      </span>
    ) : null,
  )

/** Whether a part is the first one of a chunk: only this one is a stop of the Tab key. */
const isFirst = (
  parts: readonly { start: number; chunks: number[] }[],
  part: { start: number },
  chunk: number,
): boolean => parts.find(({ chunks }) => chunks.includes(chunk))?.start === part.start
