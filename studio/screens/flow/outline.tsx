import { TriangleAlert, X } from 'lucide-react'
import { useMemo } from 'react'
import type { DrawnNode } from '../../drawing/graph.ts'
import { nodeOrder } from '../../drawing/node-order.ts'
import { moveInList } from '../../parts/arrow-list.ts'
import { Button } from '../../parts/button.tsx'
import { isNarrow } from '../../parts/narrow.ts'
import { countText } from '../../parts/units.ts'
import { CategoryIcon } from './category-icon.tsx'
import { useEditor, useEditorState } from './editor.ts'
import styles from './outline.module.css'
import { showInput } from './show-input.ts'

/** The canvas as a list: problems, and the nodes in the order of the lines with what they are connected to. */
export function Outline({ onClose }: { onClose(): void }) {
  const editor = useEditor()
  const graph = useEditorState((state) => state.graph)
  const order = useMemo(() => nodeOrder(graph), [graph])
  const show = (id: string, input: string | null) => {
    showInput(editor, id, input)
    // On a telephone the outline covers the canvas.
    if (isNarrow()) onClose()
  }
  return (
    <nav
      className={styles.outline}
      aria-label="Outline"
      onKeyDown={(event) => {
        moveInList(event)
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className={styles.head}>
        <h2>Outline</h2>
        <Button look="quiet" square aria-label="Close the outline" onClick={onClose}>
          <X />
        </Button>
      </div>
      <div className={styles.body}>
        <Problems order={order} onShow={show} />
        <h3>{countText(order.length, 'node')}</h3>
        {order.length === 0 ? <p className={styles.quiet}>Nothing is on the canvas yet.</p> : null}
        <ol className={styles.nodes}>
          {order.map((node) => (
            <OutlineNode key={node.id} node={node} onOpen={() => show(node.id, null)} nodes={order} />
          ))}
        </ol>
      </div>
    </nav>
  )
}

type ProblemsProps = { order: readonly DrawnNode[]; onShow(id: string, input: string | null): void }

/** Every problem that the server found; each leads to its input. */
function Problems({ order, onShow }: ProblemsProps) {
  const problems = useEditorState((state) => state.problems)
  const labelOf = (id: string | null) => order.find((node) => node.id === id)?.label
  if (problems.length === 0) return <p className={styles.right}>The server finds no problem.</p>
  return (
    <section aria-label="Problems" className={styles.problems}>
      <h3>{countText(problems.length, 'problem')}</h3>
      <ul>
        {problems.map(({ nodeId, input, message }) => (
          <li key={`${nodeId} ${input} ${message}`}>
            {nodeId === null ? (
              <p className={styles.problem}>
                <TriangleAlert aria-hidden="true" />
                <span>{message}</span>
              </p>
            ) : (
              <button
                type="button"
                data-item=""
                className={styles.problem}
                onClick={() => onShow(nodeId, input)}
              >
                <TriangleAlert aria-hidden="true" />
                <span>
                  <strong>{labelOf(nodeId) ?? nodeId}</strong> {message}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type OutlineNodeProps = { node: DrawnNode; nodes: readonly DrawnNode[]; onOpen(): void }

function OutlineNode({ node, nodes, onOpen }: OutlineNodeProps) {
  const graph = useEditorState((state) => state.graph)
  const selected = useEditorState((state) => state.selection.has(node.id))
  const problems = useEditorState((state) => state.problemsOf.get(node.id)?.length ?? 0)
  const labelOf = (id: string) => nodes.find((one) => one.id === id)?.label ?? id
  const into = graph.connections
    .filter(({ source }) => source === node.id)
    .map(({ target, plug, output }) =>
      plug === undefined
        ? node.outputs.length > 1
          ? `${node.outputs[output]}: ${labelOf(target)}`
          : labelOf(target)
        : `${nodes.find(({ id }) => id === target)?.plugs.find(({ name }) => name === plug)?.label ?? plug} of ${labelOf(target)}`,
    )
  const empty = node.plugs.filter(({ optional, plugged }) => !optional && plugged.length === 0)
  return (
    <li>
      <button
        type="button"
        data-item=""
        className={styles.node}
        aria-current={selected ? 'true' : undefined}
        onClick={onOpen}
      >
        <CategoryIcon kind={node.kind} />
        <span className={styles.text}>
          <span className={styles.label}>{node.label}</span>
          {node.label === node.kind.label ? null : <span className={styles.quiet}> {node.kind.label}</span>}
          {into.length === 0 ? null : (
            <span className={styles.line}>
              {node.shape === 'step' ? 'then' : 'into'} {into.join(', ')}
            </span>
          )}
          {empty.length === 0 ? null : (
            <span className={styles.line}>needs {empty.map(({ label }) => label).join(', ')}</span>
          )}
          {problems === 0 ? null : <span className={styles.warning}>{countText(problems, 'problem')}</span>}
        </span>
      </button>
    </li>
  )
}
