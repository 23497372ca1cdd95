import { useQuery } from '@tanstack/react-query'
import { Copy, Trash2, TriangleAlert, X } from 'lucide-react'
import { useId, useMemo } from 'react'
import { credentialOf, removeNodes, renameNode, setInputs } from '../../drawing/commands.ts'
import { findNode, type JsonObject } from '../../drawing/flow-file.ts'
import type { DrawnNode } from '../../drawing/graph.ts'
import type { NodeInput } from '../../drawing/node-kinds.ts'
import { variableNames } from '../../drawing/variable-names.ts'
import forms from '../../forms/forms.module.css'
import { FormContext, type FormPlace } from '../../forms/form-place.ts'
import { FormFields, NodeInputField } from '../../forms/node-input.tsx'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { listVariables } from '../../server/variables.ts'
import { CategoryIcon } from './category-icon.tsx'
import { Connections } from './connections.tsx'
import { useEditor, useEditorState } from './editor.ts'
import styles from './inputs-panel.module.css'
import { showInput } from './show-input.ts'

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
      data-node-form={selected.length === 1 ? node.id : undefined}
      onKeyDown={(event) => {
        // Back to the canvas; a list or a dialog that is open has handled the key before.
        if (
          event.key !== 'Escape' ||
          event.defaultPrevented ||
          !event.currentTarget.contains(event.target as Node)
        )
          return
        const onCanvas = document.querySelector<HTMLElement>(
          `.react-flow__node[data-id="${CSS.escape(node.id)}"]`,
        )
        event.preventDefault()
        onCanvas?.focus()
      }}
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
  const problems = useEditorState((state) => state.problemsOf.get(node.id)) ?? []
  const credential = useEditorState((state) => credentialOf(findNode(state.history.file, node.id)))
  const { run, select } = editor.getState()
  const surroundings = useSurroundings(node)
  const place: FormPlace = {
    kind: node.kind.name,
    path: '',
    values: { ...node.values, FLOWISE_CREDENTIAL_ID: '', credential },
    change: (values, path, label) => run(setInputs(node, withoutOldName(values), { path, label })),
  }
  return (
    <>
      <div className={styles.head}>
        <CategoryIcon kind={node.kind} />
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
        {problems.map(({ message, input }) => (
          <button
            key={`${input} ${message}`}
            type="button"
            className={styles.problem}
            onClick={() => showInput(editor, node.id, input)}
          >
            <TriangleAlert aria-hidden="true" />
            {message}
          </button>
        ))}
        <Connections node={node} />
        {node.shape === 'note' ? (
          <NodeInputField
            id={`${id}-note`}
            input={NOTE_INPUT}
            value={node.values.note}
            onChange={(note) => run(setInputs(node, { note }, { path: 'note', label: NOTE_INPUT.label }))}
          />
        ) : null}
        <FormContext value={surroundings}>
          <div className={forms.form}>
            <FormFields id={id} inputs={node.fields} place={place} />
          </div>
        </FormContext>
        <OtherValues node={node} />
      </div>
    </>
  )
}

/** The credential of a node stands beside its inputs: the older name among them is not written. */
const withoutOldName = ({ FLOWISE_CREDENTIAL_ID: _, ...values }: JsonObject): JsonObject => values

/** What the inputs of a node share: kinds, names of variables, problems. */
function useSurroundings(node: DrawnNode) {
  const kinds = useEditorState((state) => state.kinds)
  const graph = useEditorState((state) => state.graph)
  const found = useEditorState((state) => state.problemsOf.get(node.id))
  const { data: variables = [] } = useQuery({ queryKey: ['variables'], queryFn: listVariables })
  return useMemo(
    () => ({
      kinds,
      variables: variableNames(
        graph,
        node,
        variables.map(({ name }) => name),
      ),
      problems: (found ?? []).flatMap(({ input, line, message }) =>
        input === null ? [] : [{ input, line, message }],
      ),
    }),
    [kinds, graph, node, variables, found],
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
