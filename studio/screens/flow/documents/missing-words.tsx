import type { SourceTraceAnswer } from '../../../../src/api/source-trace.ts'
import { Button } from '../../../parts/button.tsx'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import { countText, numberText } from '../../../parts/units.ts'
import styles from './missing-words.module.css'
import { type MissingRow, missingRows, reasonText } from './trace-text.ts'

type MissingWordsProps = { trace: SourceTraceAnswer; onPlace(position: number): void }

/** All that is in no chunk, and what the reader has left out, in the order of the text, each with its reason and the way to its place. */
export function MissingWords({ trace, onPlace }: MissingWordsProps) {
  const rows = missingRows(trace)
  const { gaps, more } = trace
  const left = gaps.total - gaps.data.length + more.gaps
  return (
    <ScrollBox className={styles.missing} aria-label="What is in no chunk">
      <ul>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows stay as they are, and two may be equal
          <li key={at} data-kind={row.gap ? 'gap' : 'dropped'}>
            <Row row={row} />
            {row.position === undefined ? null : (
              <Button look="quiet" onClick={() => onPlace(row.position!)}>
                Show its place
              </Button>
            )}
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className={styles.more}>And {countText(left, 'place')} more, which are not listed.</p>
      ) : null}
      {rows.length === 0 && left === 0 ? <p className={styles.more}>Nothing is missing.</p> : null}
    </ScrollBox>
  )
}

function Row({ row: { gap, dropped } }: { row: MissingRow }) {
  if (!gap) return <p className={styles.reason}>Left out by the reader: {dropped!.text}</p>
  const isCut = gap.text !== '' && gap.text.length < gap.end - gap.start
  return (
    <div>
      {gap.text === '' ? null : (
        <p className={styles.words}>
          {gap.text.trim()}
          {isCut ? '…' : ''}
        </p>
      )}
      <p className={styles.reason}>
        {reasonText(gap)} {countText(gap.characters, 'character')} at {numberText(gap.start)}
      </p>
    </div>
  )
}
