import { LayoutDashboard, Redo2, Undo2 } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import styles from './canvas-tab.module.css'
import { useEditor, useEditorState } from './editor.ts'

/** Undo, redo and tidying up, over the corner of the canvas. */
export function CanvasTools({ onTidyUp }: { onTidyUp(): void }) {
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
    </div>
  )
}
