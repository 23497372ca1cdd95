import { X } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { passedText, runStateWord } from '../../parts/run-words.ts'
import { SpanBody, TimedSpans } from '../../parts/timed-spans.tsx'
import { millisecondsText, momentText } from '../../parts/units.ts'
import type { Run } from '../../server/runs.ts'
import styles from './execution-view.module.css'

/** The record of a run from a file, which may come from another server. */
export function RunFileView({ run, onClose }: { run: Run; onClose(): void }) {
  const { title, flow, kind, state, startedAt, ms, failure, spans, omittedSpans, lines, nodes } = run
  const labelOf = (id: string) => nodes.find((node) => node.id === id)?.label ?? id
  const facts = [
    ['Flow', flow.name],
    ['What', kind],
    ['State', runStateWord(state)],
    ['Started', momentText(startedAt)],
    ['Took', ms === null ? 'not ended' : millisecondsText(ms)],
  ]
  return (
    <aside className={styles.panel} aria-label="Run from a file">
      <header className={styles.head}>
        <h2 title={title}>{title}</h2>
        <Button look="quiet" square aria-label="Close the run" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </header>
      <Note>This record comes from a file. The server does not know it.</Note>
      {failure ? (
        <Note kind="failure">
          {failure.message} <code>{failure.code}</code>
        </Note>
      ) : null}
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <TimedSpans
        spans={spans}
        omittedSpans={omittedSpans}
        elapsed={ms ?? 0}
        bodyOf={(span) => <SpanBody span={span} />}
      />
      {lines.length > 0 ? (
        <section aria-label="Lines of the drawing">
          <h3>Lines of the drawing</h3>
          <dl>
            {lines.map((line) => (
              <div key={`${line.from} ${line.to}`}>
                <dt>
                  {labelOf(line.from)} → {labelOf(line.to)}: {passedText(line)}
                </dt>
                {line.items.toReversed().map((item, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal, and do not change
                  <dd key={at} className={styles.item}>
                    {item.title}: {item.text}
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </aside>
  )
}
