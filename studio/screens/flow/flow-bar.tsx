import { Link } from '@tanstack/react-router'
import { ArrowLeft, Save } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isDirty } from '../../drawing/history.ts'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { Button } from '../../parts/button.tsx'
import { openFlowName } from '../../parts/title-text.ts'
import { TopBar } from '../../parts/top-bar.tsx'
import type { Flow } from '../../server/flows.ts'
import { hasConfigurationChanges } from './configuration/configuration-draft.ts'
import { useEditorState } from './editor.ts'
import styles from './flow-screen.module.css'
import { useOpenFlow } from './open-flow.ts'
import type { SaveFlow } from './save-flow.ts'
import { UpsertButton } from './upsert/upsert-button.tsx'

type FlowBarProps = { flow: Flow; saving: SaveFlow }

/** The name of the flow, saving, and at the right end the green button. */
export function FlowBar({ flow, saving }: FlowBarProps) {
  const { configuration } = useOpenFlow()
  const drawn = useEditorState((state) => isDirty(state.history))
  const configured = useStore(configuration, hasConfigurationChanges)
  const dirty = drawn || configured
  const [name, setName] = useState<string>()
  useEffect(() => {
    openFlowName.setState({ name: saving.name })
    return () => openFlowName.setState({ name: undefined })
  }, [saving.name])
  return (
    <TopBar
      actions={
        <>
          <AccountMenu />
          <span className={styles.gap} />
          <Button
            look={dirty ? 'main' : 'plain'}
            title={saving.draft.isOn ? 'Save as a draft (Ctrl+S)' : 'Save (Ctrl+S)'}
            disabled={!dirty || saving.isSaving}
            onClick={() => void saving.save()}
          >
            <Save aria-hidden="true" />
            <span className={styles.saveText}>Save</span>
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
          if (name !== undefined) void saving.rename(name).then((isNamed) => isNamed && setName(undefined))
        }}
      />
      <span className={styles.state} data-dirty={dirty}>
        {saving.isSaving
          ? 'Saving…'
          : dirty
            ? 'Unsaved changes'
            : saving.draft.state.draft
              ? 'Draft saved'
              : 'Saved'}
      </span>
    </TopBar>
  )
}
