import { X } from 'lucide-react'
import { passedText } from '../../../parts/run-words.ts'
import { useEffect, useRef } from 'react'
import { Button } from '../../../parts/button.tsx'
import { useEditorState } from '../editor.ts'
import styles from './line-items.module.css'
import { useShownRun } from './shown-run.tsx'

/** The last three items of the chosen line, the newest first. */
export function LineItems() {
  const { run, lines, line: key, setLine } = useShownRun()
  const graph = useEditorState((state) => state.graph)
  const box = useRef<HTMLElement>(null)
  const line = key === undefined ? undefined : lines.get(key)
  const isShown = line !== undefined
  useEffect(() => {
    if (isShown) box.current?.focus()
  }, [isShown])
  if (!run || !line) return null
  const labelOf = (id: string) => graph.nodes.find((node) => node.id === id)?.label ?? id
  const close = () => {
    setLine(undefined)
    document.querySelector<HTMLElement>(`[data-line="${CSS.escape(key!)}"]`)?.focus()
  }
  return (
    <section
      ref={box}
      tabIndex={-1}
      className={styles.items}
      aria-label="Last items of the line"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <header>
        <h2>{run.state === 'INPROGRESS' ? 'On this line now' : 'On this line'}</h2>
        <span className={styles.quiet}>
          {line.items.length} of {passedText(line)}, newest first
        </span>
        <Button look="quiet" square aria-label="Close the items" onClick={close}>
          <X aria-hidden="true" />
        </Button>
      </header>
      <p className={styles.quiet}>
        {labelOf(line.from)} → {labelOf(line.to)}
      </p>
      <ol>
        {line.items.toReversed().map(({ title, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal; the newest is the first
          <li key={at}>
            <span className={styles.title}>{title}</span>
            <span>{text === '' ? 'nothing' : text}</span>
          </li>
        ))}
      </ol>
      {run.failure?.nodeId === line.from ? <p className={styles.failed}>{run.failure.message}</p> : null}
    </section>
  )
}
