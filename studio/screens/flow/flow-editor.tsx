import { ReactFlowProvider } from '@xyflow/react'
import { useRef, useState } from 'react'
import { readFlowFile } from '../../drawing/flow-file.ts'
import { placeMissing } from '../../drawing/layout.ts'
import type { NodeKinds } from '../../drawing/node-kinds.ts'
import { isAgentFlow } from '../../drawing/problems.ts'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import type { Flow } from '../../server/flows.ts'
import { useCanvasActions } from './canvas-actions.ts'
import { Canvas } from './canvas.tsx'
import { createEditor, type Editor, EditorContext, useEditorState } from './editor.ts'
import { FlowBar } from './flow-bar.tsx'
import styles from './flow-screen.module.css'
import { InputsPanel } from './inputs-panel.tsx'
import { NodePalette } from './node-palette.tsx'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { useSaveFlow } from './save-flow.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

type FlowEditorProps = { flow: Flow; kinds: NodeKinds }

/** One open flow: palette, canvas, inputs of what is selected. */
export function FlowEditor({ flow, kinds }: FlowEditorProps) {
  // Opened once: a flow that is loaded again must not replace what is being drawn.
  const [opened] = useState((): Editor | { refusal: string } => {
    try {
      return createEditor(placeMissing(readFlowFile(flow.flowData), kinds), kinds)
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
      <ReactFlowProvider>
        <OpenFlow flow={flow} />
      </ReactFlowProvider>
    </EditorContext>
  )
}

function OpenFlow({ flow }: { flow: Flow }) {
  const searchBox = useRef<HTMLInputElement>(null)
  const graph = useEditorState((state) => state.graph)
  const announcement = useEditorState((state) => state.announcement)
  const saving = useSaveFlow(flow)
  const actions = useCanvasActions(saving.save, searchBox)
  const [agentFlow] = useState(flow.type === 'AGENTFLOW')
  return (
    <div className={styles.screen}>
      <FlowBar flow={flow} saving={saving} onTidyUp={actions.tidyUp} />
      <div className={styles.work}>
        <NodePalette agentFlow={agentFlow || isAgentFlow(graph)} searchBox={searchBox} />
        <main className={styles.middle}>
          <Canvas />
          {graph.nodes.length === 0 ? <EmptyHint agentFlow={agentFlow} /> : null}
        </main>
        <InputsPanel onDuplicate={actions.duplicate} />
      </div>
      <p className={styles.announcement} role="status">
        {announcement}
      </p>
      <UnsavedGuard save={saving.save} />
      <ChangedMeanwhile saving={saving} />
    </div>
  )
}

const EmptyHint = ({ agentFlow }: { agentFlow: boolean }) => (
  <div className={styles.hint}>
    <h2>An empty canvas</h2>
    <p>
      Drag a node from the left, or click it. <kbd>/</kbd> searches the nodes.{' '}
      {agentFlow
        ? 'An agent flow begins with a Start node.'
        : 'To load documents, begin with a vector store: its inputs say what else it takes.'}
    </p>
  </div>
)
