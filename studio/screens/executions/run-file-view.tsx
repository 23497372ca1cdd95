import { FolderOpen, X } from 'lucide-react'
import { type DragEvent, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { readRunFile } from '../../parts/run-file.ts'
import { runStateWord } from '../../parts/run-words.ts'
import { complain } from '../../parts/toast.tsx'
import { millisecondsText, momentText, numberText } from '../../parts/units.ts'
import { messageOf } from '../../server/call.ts'
import type { Run } from '../../server/runs.ts'
import styles from './execution-view.module.css'
import { SpanBody, TimedSpans } from './span-list.tsx'

async function readFile(file: File | undefined, onRun: (run: Run) => void): Promise<void> {
  if (!file) return
  try {
    onRun(readRunFile(await file.text(), file.name))
  } catch (failure) {
    complain('The file was not opened', messageOf(failure))
  }
}

/** A button that opens the file of a shared run. */
export function RunFilePicker({ onRun }: { onRun(run: Run): void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="quiet" onClick={() => picker.current?.click()}>
        <FolderOpen aria-hidden="true" /> Open a file
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="Open the record of a run"
        accept=".json,application/json"
        onChange={({ target }) => {
          void readFile(target.files?.[0], onRun)
          target.value = ''
        }}
      />
    </>
  )
}

/** Makes an element open the file of a shared run that is dropped on it. */
export const dropOfRun = (onRun: (run: Run) => void) => ({
  onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDrop(event: DragEvent) {
    event.preventDefault()
    void readFile(event.dataTransfer.files[0], onRun)
  },
})

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
            {lines.map(({ from, to, count, unit, items }) => (
              <div key={`${from} ${to}`}>
                <dt>
                  {labelOf(from)} → {labelOf(to)}: {numberText(count)} {unit}
                </dt>
                {items.toReversed().map((item, at) => (
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
