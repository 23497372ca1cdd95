import { useEffect, useMemo, useRef } from 'react'
import type { Chunk } from '../../../server/documents.ts'
import type { SourceTextAnswer } from '../../../../src/api/source.ts'
import styles from './document-screen.module.css'
import { textParts } from './text-parts.ts'

type DocumentTextProps = {
  text: SourceTextAnswer | undefined
  /** The part of the text that the chunks of this page have; undefined where they have no positions. */
  span: { start: number; end: number } | undefined
  chunks: Chunk[]
  selected: string | undefined
  onSelect(chunk: string): void
}

/** The text of the chunks on this page, with the place of each marked. */
export function DocumentText({ text, span, chunks, selected, onSelect }: DocumentTextProps) {
  const place = useRef<HTMLElement>(null)
  const parts = useMemo(
    () => (text && text.start === span?.start ? textParts(text.text, text.start, chunks) : []),
    [text, span?.start, chunks],
  )
  const number = chunks.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (number >= 0 && parts.length > 0)
      place.current?.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'center' })
  }, [number, parts])
  return (
    <section className={styles.side} aria-label="Text" ref={place}>
      {span === undefined ? (
        <p className={styles.quiet}>
          It is not known where these chunks are in the text: the record manager names their sources by
          metadata.
        </p>
      ) : (
        <div className={styles.text}>
          {parts.map((part) => {
            const own = part.chunks.includes(number) ? number : part.chunks[0]
            if (own === undefined) return part.text
            return (
              // biome-ignore lint/a11y/useSemanticElements: a button cannot be a part of a running text
              <span
                key={part.start}
                role="button"
                tabIndex={part.chunks.includes(own) && isFirst(parts, part, own) ? 0 : -1}
                className={styles.part}
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
            )
          })}
        </div>
      )}
    </section>
  )
}

/** Whether a part is the first one of a chunk: only this one is a stop of the Tab key. */
const isFirst = (
  parts: readonly { start: number; chunks: number[] }[],
  part: { start: number },
  chunk: number,
): boolean => parts.find(({ chunks }) => chunks.includes(chunk))?.start === part.start
