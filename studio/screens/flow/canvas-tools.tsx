import {
  CircleCheck,
  CirclePlay,
  CodeXml,
  Keyboard,
  LayoutDashboard,
  Redo2,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { countText } from '../../parts/units.ts'
import styles from './canvas-tab.module.css'
import { useEditor, useEditorState } from './editor.ts'
import { useShownRun } from './run/shown-run.tsx'

type CanvasToolsProps = {
  onTidyUp(): void
  outline: boolean
  onOutline(): void
  text: boolean
  onText(): void
  onHelp(): void
}

/** Undo, redo, tidying up, and how many problems there are, over the corner of the canvas. */
export function CanvasTools({ onTidyUp, outline, onOutline, text, onText, onHelp }: CanvasToolsProps) {
  const problems = useEditorState((state) => state.problems.length)
  const { isOpen, setOpen } = useShownRun()
  const { undo, redo } = useEditor().getState()
  const { past, future } = useEditorState((state) => state.history)
  const last = past.at(-1)
  const [next] = future
  return (
    <div className={styles.tools} role="toolbar" aria-label="Canvas">
      <Button
        look="quiet"
        square
        aria-label={last ? `Undo: ${last.title}` : 'Undo'}
        disabled={!last}
        onClick={undo}
      >
        <Undo2 />
      </Button>
      <Button
        look="quiet"
        square
        aria-label={next ? `Redo: ${next.title}` : 'Redo'}
        disabled={!next}
        onClick={redo}
      >
        <Redo2 />
      </Button>
      <Button look="quiet" square aria-label="Tidy up the canvas" onClick={onTidyUp}>
        <LayoutDashboard />
      </Button>
      <Button look="quiet" square aria-label="Keys of the canvas (?)" onClick={onHelp}>
        <Keyboard />
      </Button>
      <Button
        look="quiet"
        title="Outline and problems (O)"
        aria-label={`Outline, ${countText(problems, 'problem')}`}
        aria-expanded={outline}
        onClick={onOutline}
      >
        {problems === 0 ? (
          <CircleCheck aria-hidden="true" />
        ) : (
          <TriangleAlert aria-hidden="true" className={styles.warning} />
        )}
        {problems === 0 ? 'Outline' : countText(problems, 'problem')}
      </Button>
      <Button
        look="quiet"
        title="Flow as text (Alt T)"
        aria-label="Flow as text"
        aria-expanded={text}
        className={text ? styles.shown : undefined}
        onClick={onText}
      >
        <CodeXml aria-hidden="true" />
        Text
      </Button>
      <Button
        look="quiet"
        data-run-button=""
        title="This run: steps, counts and earlier runs (R)"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <CirclePlay aria-hidden="true" />
        This run
      </Button>
    </div>
  )
}
