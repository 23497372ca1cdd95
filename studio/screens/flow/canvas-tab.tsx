import { ReactFlowProvider } from '@xyflow/react'
import { lazy, Suspense, useRef, useState } from 'react'
import { isAgentFlow } from '../../drawing/problems.ts'
import { loadPart } from '../../server/load-part.ts'
import { useCanvasActions } from './canvas-actions.ts'
import { CanvasTools } from './canvas-tools.tsx'
import styles from './canvas-tab.module.css'
import { Canvas } from './canvas.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { useEditorState } from './editor.ts'
import { InputsPanel } from './inputs-panel.tsx'
import { KeysHelp } from './keys-help.tsx'
import { useNodeInAddress } from './node-in-address.ts'
import { NodePalette } from './node-palette.tsx'
import { useOpenFlow } from './open-flow.ts'
import { Outline } from './outline.tsx'
import { LineItems } from './run/line-items.tsx'
import { RunPanel } from './run/run-panel.tsx'
import run from './run/run-panel.module.css'
import { ShownRunProvider, useShownRun } from './run/shown-run.tsx'
import { focusWhenDrawn } from './show-input.ts'

/** Loaded when the text is first shown: the editor is larger than the rest of the screen. */
const TextPane = lazy(() => loadPart(() => import('./text/text-pane.tsx')))

/** Palette, canvas, and the inputs of what is selected. */
export function CanvasTab() {
  return (
    <ReactFlowProvider>
      <ShownRunProvider>
        <Drawing />
      </ShownRunProvider>
    </ReactFlowProvider>
  )
}

function Drawing() {
  const { flow, saving } = useOpenFlow()
  useNodeInAddress()
  const searchBox = useRef<HTMLInputElement>(null)
  const graph = useEditorState((state) => state.graph)
  const [outline, setOutline] = useState(false)
  // On a tablet the canvas needs the place; a button opens the list.
  const [palette, setPalette] = useState(() => matchMedia('(min-width: 1000px)').matches)
  const [help, setHelp] = useState(false)
  /** How the text was opened: with its key the editor gets the focus. */
  const [text, setText] = useState<'by-key' | 'by-mouse'>()
  const [connecting, setConnecting] = useState<string>()
  const { isOpen: isRunOpen, setOpen: setRunOpen } = useShownRun()
  const actions = useCanvasActions({
    save: saving.save,
    onSearch() {
      setOutline(false)
      setPalette(true)
      // At once, so that the next key goes into the box; again when an outline or a palette that closes has let the focus go.
      searchBox.current?.focus()
      focusWhenDrawn(() => searchBox.current ?? undefined)
    },
    onConnect: setConnecting,
    onOutline: () => setOutline((now) => !now),
    onText: () => (text === undefined ? setText('by-key') : closeText()),
    onHelp: () => setHelp(true),
    onRun: () => setRunOpen(!isRunOpen),
  })
  function closeText(): void {
    setText(undefined)
    focusWhenDrawn(
      () => document.querySelector<HTMLElement>('[aria-label="Flow as text"][aria-expanded]') ?? undefined,
    )
  }
  const connected = graph.nodes.find(({ id }) => id === connecting)
  const [agentFlow] = useState(flow.type === 'AGENTFLOW')
  return (
    <div className={styles.work}>
      {outline ? (
        <Outline onClose={() => setOutline(false)} />
      ) : (
        <NodePalette
          agentFlow={agentFlow || isAgentFlow(graph)}
          searchBox={searchBox}
          shown={palette}
          onShow={setPalette}
        />
      )}
      <main className={styles.middle}>
        <Canvas />
        <CanvasTools
          onTidyUp={actions.tidyUp}
          outline={outline}
          onOutline={() => setOutline(!outline)}
          text={text !== undefined}
          onText={() => setText(text === undefined ? 'by-mouse' : undefined)}
          onHelp={() => setHelp(true)}
        />
        <div className={run.over}>
          <LineItems />
          <RunPanel />
        </div>
        {graph.nodes.length === 0 ? <EmptyHint agentFlow={agentFlow} /> : null}
      </main>
      {text === undefined ? (
        <InputsPanel onDuplicate={actions.duplicate} />
      ) : (
        <Suspense fallback={null}>
          <TextPane onClose={closeText} hasFocus={text === 'by-key'} />
        </Suspense>
      )}
      {connected ? <ConnectDialog node={connected} onClose={() => setConnecting(undefined)} /> : null}
      {help ? <KeysHelp onClose={() => setHelp(false)} /> : null}
    </div>
  )
}

const EmptyHint = ({ agentFlow }: { agentFlow: boolean }) => (
  <div className={styles.hint}>
    <h2>An empty canvas</h2>
    <p>
      Drag a node from the left, or click it. <kbd>/</kbd> searches the nodes, <kbd>?</kbd> lists all keys.{' '}
      {agentFlow
        ? 'An agent flow begins with a Start node.'
        : 'To load documents, begin with a vector store: its inputs say what else it takes.'}
    </p>
  </div>
)
