import { Link } from '@tanstack/react-router'
import { ArrowLeft, LayoutDashboard, Redo2, Save, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isDirty } from '../../drawing/history.ts'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { Button } from '../../parts/button.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import type { Flow } from '../../server/flows.ts'
import { useEditor, useEditorState } from './editor.ts'
import styles from './flow-screen.module.css'
import type { SaveFlow } from './save-flow.ts'
import { UpsertButton } from './upsert/upsert-button.tsx'

type FlowBarProps = { flow: Flow; saving: SaveFlow; onTidyUp(): void }

/** The name of the flow, what can be done with the drawing, and at the right end the green button. */
export function FlowBar({ flow, saving, onTidyUp }: FlowBarProps) {
  const editor = useEditor()
  const history = useEditorState((state) => state.history)
  const dirty = isDirty(history)
  const [name, setName] = useState<string>()
  const { undo, redo } = editor.getState()
  const last = history.past.at(-1)
  const [next] = history.future
  return (
    <TopBar
      actions={
        <>
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
          <AccountMenu />
          <span className={styles.gap} />
          <Button
            look={dirty ? 'main' : 'plain'}
            title="Save (Ctrl+S)"
            disabled={!dirty || saving.isSaving}
            onClick={() => void saving.save()}
          >
            <Save aria-hidden="true" />
            Save
          </Button>
          <UpsertButton flow={flow} saving={saving} />
        </>
      }
    >
      <Link to="/flows" className={styles.back} aria-label="All flows">
        <ArrowLeft aria-hidden="true" />
      </Link>
      <h1 className={styles.announcement}>{saving.name}</h1>
      <input
        className={styles.name}
        aria-label="Name of the flow"
        maxLength={200}
        value={name ?? saving.name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setName(undefined)
        }}
        onBlur={() => {
          if (name !== undefined) void saving.rename(name).then(() => setName(undefined))
        }}
      />
      <span className={styles.state} data-dirty={dirty}>
        {saving.isSaving ? 'Saving…' : dirty ? 'Unsaved changes' : 'Saved'}
      </span>
    </TopBar>
  )
}
