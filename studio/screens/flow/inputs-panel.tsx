import { Copy, Trash2, TriangleAlert, X } from 'lucide-react'
import { useId } from 'react'
import { credentialOf, removeNodes, renameNode, setInput } from '../../drawing/commands.ts'
import { findNode } from '../../drawing/flow-file.ts'
import type { DrawnNode } from '../../drawing/graph.ts'
import type { NodeInput } from '../../drawing/node-kinds.ts'
import forms from '../../forms/forms.module.css'
import { NodeInputField } from '../../forms/node-input.tsx'
import { visibleInputs } from '../../forms/visible.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { CategoryIcon } from './category-icon.tsx'
import { Connections } from './connections.tsx'
import { useEditor, useEditorState } from './editor.ts'
import styles from './inputs-panel.module.css'
import { changedValues } from './value-text.ts'

type InputsPanelProps = { onDuplicate(): void }

/** What is selected: the form of one node, or actions for several. */
export function InputsPanel({ onDuplicate }: InputsPanelProps) {
  const editor = useEditor()
  const graph = useEditorState((state) => state.graph)
  const selection = useEditorState((state) => state.selection)
  const selected = graph.nodes.filter(({ id }) => selection.has(id))
  const [node] = selected
  if (!node) return null
  const remove = () => editor.getState().run(removeNodes(selected.map(({ id }) => id)))
  return (
    <aside
      className={styles.panel}
      aria-label={selected.length === 1 ? `Inputs of ${node.label}` : 'Selection'}
    >
      {selected.length === 1 ? (
        <NodeForm key={node.id} node={node} />
      ) : (
        <div className={styles.head}>
          <h2>{selected.length} nodes selected</h2>
        </div>
      )}
      <footer className={styles.foot}>
        <Button onClick={onDuplicate}>
          <Copy aria-hidden="true" />
          Duplicate
        </Button>
        <Button look="danger" onClick={remove}>
          <Trash2 aria-hidden="true" />
          Remove
        </Button>
      </footer>
    </aside>
  )
}

function NodeForm({ node }: { node: DrawnNode }) {
  const id = useId()
  const editor = useEditor()
  const problems = useEditorState((state) => state.problems).filter(({ nodeId }) => nodeId === node.id)
  const credential = useEditorState((state) => credentialOf(findNode(state.history.file, node.id)))
  const { run, select } = editor.getState()
  const shown = visibleInputs(node.fields, node.values)
  const main = shown.filter(({ additionalParams }) => additionalParams !== true)
  const additional = shown.filter(({ additionalParams }) => additionalParams === true)
  const changed = changedValues({ ...node, fields: additional }, 100).length
  const inputField = (input: NodeInput) => (
    <NodeInputField
      key={input.name}
      id={`${id}-${input.name}`}
      input={input}
      value={input.type === 'credential' ? credential : node.values[input.name]}
      onChange={(value) => run(setInput(node, input, value))}
    />
  )
  return (
    <>
      <div className={styles.head}>
        <CategoryIcon category={node.known ? node.kind.category : ''} />
        <div className={styles.names}>
          <textarea
            id="node-label"
            rows={1}
            className={styles.label}
            aria-label="Name of the node"
            value={node.label}
            onChange={(event) => run(renameNode(node.id, event.target.value.replaceAll('\n', ' ')))}
          />
          <p className={styles.kind}>
            {node.kind.label} · <code>{node.id}</code>
          </p>
        </div>
        <Button look="quiet" square aria-label="Close the inputs" onClick={() => select([])}>
          <X />
        </Button>
      </div>
      <div className={styles.body}>
        {node.kind.description === '' ? null : <p className={styles.about}>{node.kind.description}</p>}
        {problems.map(({ message }) => (
          <p key={message} className={styles.problem}>
            <TriangleAlert aria-hidden="true" />
            {message}
          </p>
        ))}
        <Connections node={node} />
        {node.shape === 'note' ? inputField(NOTE_INPUT) : null}
        {main.length === 0 ? null : <div className={forms.form}>{main.map(inputField)}</div>}
        {additional.length === 0 ? null : (
          <details className={styles.additional}>
            <summary>
              Additional parameters
              {changed === 0 ? null : <span className={styles.changed}> {changed} changed</span>}
            </summary>
            <div className={forms.form}>{additional.map(inputField)}</div>
          </details>
        )}
        <OtherValues node={node} />
      </div>
    </>
  )
}

const NOTE_INPUT: NodeInput = { name: 'note', label: 'Text', type: 'string', optional: true }

/** Values of the file that this server has no input for: an export of another version. They are kept. */
function OtherValues({ node }: { node: DrawnNode }) {
  if (!node.known || node.shape === 'note') return null
  const declared = new Set(node.kind.inputs.map(({ name }) => name))
  const others = Object.entries(node.values).filter(
    ([name, value]) =>
      !declared.has(name) && name !== 'FLOWISE_CREDENTIAL_ID' && value !== '' && value !== null,
  )
  if (others.length === 0) return null
  return (
    <Note>
      The file has values that have no effect on this server; they are kept:{' '}
      {others.map(([name]) => name).join(', ')}
    </Note>
  )
}
