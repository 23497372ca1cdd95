import { diffLines } from 'diff'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { isDirty } from '../../../drawing/history.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { countText } from '../../../parts/units.ts'
import type { SpanInText } from '../../../server/flow-text.ts'
import { useEditor, useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { TextEditor } from './text-editor.tsx'
import styles from './text-pane.module.css'
import { textSession } from './text-session.ts'

type TextPaneProps = { onClose(): void; hasFocus: boolean }

/** The flow as text beside the drawing. Both are one thing: what is typed here is drawn there, and the other way round. */
export default function TextPane({ onClose, hasFocus }: TextPaneProps) {
  const editor = useEditor()
  const { saving } = useOpenFlow()
  const session = textSession(editor)
  const state = useStore(session.store)
  const kinds = useEditorState(({ kinds: all }) => all)
  const selection = useEditorState(({ selection: chosen }) => chosen)
  const dirty = useEditorState(({ history }) => isDirty(history))
  const [target, setTarget] = useState<{ line: number }>()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => session.follow(), [session])
  const { text, savedText, spans, isThere, isDraft, isBehind, failure } = state
  const problems = state.problems
  const unsaved = useMemo(
    () => (savedText === undefined || (!dirty && !isDraft) ? [] : changedLines(savedText, text)),
    [savedText, text, dirty, isDraft],
  )
  const only = selection.size === 1 ? [...selection][0] : undefined
  const selected = useMemo(
    () => spans.find(({ nodeId, input }) => nodeId === only && input === null),
    [spans, only],
  )
  const errors = problems.filter(({ severity }) => severity === 'error')

  useEffect(() => {
    const host = panel.current?.querySelector('[data-code]')
    if (hasFocus && isThere) host?.shadowRoot?.querySelector<HTMLElement>('.cm-content')?.focus()
  }, [hasFocus, isThere])

  function selectAt(line: number): void {
    const id = nodeAt(spans, line)
    const { graph, selection: now, select } = editor.getState()
    if (id !== undefined && graph.nodes.some((node) => node.id === id) && !(now.size === 1 && now.has(id)))
      select([id])
  }

  async function save(): Promise<void> {
    if (await session.flush()) await saving.save()
    else editor.getState().announce('The text has a mistake: nothing was saved')
  }

  return (
    <aside
      ref={panel}
      className={styles.pane}
      aria-label="Flow as text"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header className={styles.head}>
        <h2>Flow as text</h2>
        <span className={styles.hint}>same undo · Alt T</span>
        <Button look="quiet" square aria-label="Close the text" onClick={onClose}>
          <X />
        </Button>
      </header>
      {isThere ? (
        <TextEditor
          {...{ text, kinds, problems, unsaved, selected, target, isDraft }}
          onType={(typed, line) => session.type(typed, nodeAt(spans, line) ?? `line ${line}`)}
          onLine={selectAt}
          onUndo={() => (isDraft ? session.discard() : editor.getState().undo())}
          onRedo={() => editor.getState().redo()}
          onSave={() => void save()}
        />
      ) : failure === undefined ? (
        <p className={styles.waiting}>Writing the text…</p>
      ) : null}
      {problems.length > 0 || isDraft || failure !== undefined ? (
        <footer className={styles.foot}>
          {failure === undefined ? null : <Note kind="failure">The text was not read: {failure}</Note>}
          <p role="status">{statusText(errors.length, isDraft, isBehind)}</p>
          {isDraft && errors.length > 0 ? (
            <div>
              <Button onClick={() => session.discard()}>Take the text of the drawing</Button>
            </div>
          ) : null}
          <ul aria-label="Problems of the text">
            {problems.map(({ line, column, severity, message }) => (
              <li key={`${line}:${column} ${message}`}>
                <button
                  type="button"
                  className={styles.problem}
                  data-severity={severity}
                  onClick={() => setTarget({ line })}
                >
                  <b>Line {line}</b> {message}
                </button>
              </li>
            ))}
          </ul>
        </footer>
      ) : null}
    </aside>
  )
}

function statusText(errors: number, isDraft: boolean, isBehind: boolean): string {
  if (!isDraft) return ''
  if (errors === 0) return 'Reading the text…'
  const meanwhile = isBehind ? ' It was changed there meanwhile.' : ''
  return `${countText(errors, 'mistake')} in the text: the drawing stays as it was.${meanwhile}`
}

/** The node in whose lines a line is. */
const nodeAt = (spans: readonly SpanInText[], line: number): string | undefined =>
  spans.find((span) => span.input === null && span.line <= line && line <= span.endLine)?.nodeId

/** The numbers of the lines of a text that another text does not have. */
function changedLines(before: string, after: string): number[] {
  const found: number[] = []
  let line = 1
  for (const { added, removed, count = 0 } of diffLines(before, after)) {
    if (removed) continue
    if (added) for (let at = 0; at < count; at++) found.push(line + at)
    line += count
  }
  return found
}
