import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readFlowFile } from '../../drawing/flow-file.ts'
import { placeMissing } from '../../drawing/layout.ts'
import type { NodeKinds } from '../../drawing/node-kinds.ts'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import type { DraftState } from '../../server/drafts.ts'
import type { Flow } from '../../server/flows.ts'
import { ChangeBar } from './change-bar/change-bar.tsx'
import { createConfigurationDraft } from './configuration/configuration-draft.ts'
import { MergeFlows } from './merge/merge-flows.tsx'
import { createEditor, type Editor, EditorContext, useEditorState } from './editor.ts'
import { FlowBar } from './flow-bar.tsx'
import styles from './flow-screen.module.css'
import { FlowTabs } from './flow-tabs.tsx'
import { useInputActions } from './input-actions.ts'
import { OpenFlowContext } from './open-flow.ts'
import { useSaveFlow } from './save-flow.ts'
import { UpsertingProvider } from './upsert/upserting.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useCheckedDrawing } from './check-drawing.ts'

type FlowEditorProps = { flow: Flow; draft: DraftState; kinds: NodeKinds }

/** One open flow, with its draft where it has one: its bar with the green button, its tabs, and the tab that is open. */
export function FlowEditor({ flow, draft, kinds }: FlowEditorProps) {
  // Opened once: a flow that is loaded again must not replace what is being drawn.
  const [opened] = useState((): Editor | { refusal: string } => {
    try {
      const drawing = draft.draft?.flowData ?? flow.flowData
      return createEditor(placeMissing(readFlowFile(drawing), kinds), kinds)
    } catch (error) {
      return { refusal: messageOf(error) }
    }
  })
  if ('refusal' in opened)
    return (
      <main className={styles.waiting}>
        <Note kind="failure">
          {flow.name} cannot be drawn: {opened.refusal}
        </Note>
      </main>
    )
  return (
    <EditorContext value={opened}>
      <UpsertingProvider flowId={flow.id}>
        <OpenedFlow flow={flow} draft={draft} />
      </UpsertingProvider>
    </EditorContext>
  )
}

function OpenedFlow({ flow, draft }: { flow: Flow; draft: DraftState }) {
  // The address keeps the name that it was opened by: another one would load the flow anew.
  const { id } = useParams({ from: '/flows/$id' })
  useCheckedDrawing()
  useInputActions(id)
  const announcement = useEditorState((state) => state.announcement)
  const [configuration] = useState(() => createConfigurationDraft(flow))
  const saving = useSaveFlow(flow, draft, configuration)
  const open = useMemo(() => ({ flow, saving, configuration }), [flow, saving, configuration])
  return (
    <OpenFlowContext value={open}>
      <div className={styles.screen}>
        <FlowBar flow={flow} saving={saving} />
        <FlowTabs id={id} />
        <ChangeBar />
        <Outlet />
        <p className={styles.announcement} role="status">
          {announcement}
        </p>
        <UnsavedGuard id={id} saving={saving} />
        <MergeFlows flow={flow} saving={saving} />
      </div>
    </OpenFlowContext>
  )
}
