import { Handle, type Node, type NodeProps, Position, useConnection } from '@xyflow/react'
import { TriangleAlert } from 'lucide-react'
import { cardLines, isFrame } from '../../drawing/card-lines.ts'
import { noteWidth } from '../../drawing/card-size.ts'
import { refusal, stepRefusal } from '../../drawing/fit.ts'
import type { DrawnNode } from '../../drawing/graph.ts'
import { CategoryIcon } from './category-icon.tsx'
import { useEditor, useEditorState } from './editor.ts'
import { FarCard, useIsFar } from './far-card.tsx'
import { INPUT_HANDLE, OUTPUT_HANDLE, outputOfHandle } from './handles.ts'
import styles from './node-card.module.css'
import { NodeRun } from './run/node-run.tsx'

export type CanvasNode = Node<{ node: DrawnNode }>

/** Whether the end of a line that is being drawn fits here: undefined while no line is drawn. */
function useFit(node: DrawnNode, handle: string, type: 'source' | 'target'): 'yes' | 'no' | undefined {
  const editor = useEditor()
  const line = useConnection((connection) =>
    connection.inProgress && connection.fromHandle.type !== type
      ? `${connection.fromHandle.id}\n${connection.fromNode.id}`
      : undefined,
  )
  if (line === undefined) return undefined
  const [fromHandle = '', fromId] = line.split('\n')
  const { graph } = editor.getState()
  const from = graph.nodes.find(({ id }) => id === fromId)
  if (!from) return undefined
  const [source, target] = type === 'target' ? [from, node] : [node, from]
  const [output, input] = type === 'target' ? [fromHandle, handle] : [handle, fromHandle]
  if (source.shape !== target.shape) return 'no'
  const reason =
    source.shape === 'step'
      ? stepRefusal(graph, source, target, outputOfHandle(output))
      : refusal(graph, source, target, input)
  return reason === undefined ? 'yes' : 'no'
}

type EndProps = { node: DrawnNode; id: string; label?: string }

function InputEnd({ node, id, label }: EndProps) {
  const fit = useFit(node, id, 'target')
  return (
    <Handle
      type="target"
      position={Position.Left}
      id={id}
      data-fit={fit}
      data-label={label}
      className={styles.end}
    />
  )
}

function OutputEnd({ node, id, label }: EndProps) {
  const fit = useFit(node, id, 'source')
  return (
    <Handle
      type="source"
      position={Position.Right}
      id={id}
      data-fit={fit}
      data-label={label}
      className={styles.end}
    />
  )
}

function Head({ node }: { node: DrawnNode }) {
  const problems = useEditorState((state) => state.problemsOf.get(node.id)) ?? []
  return (
    <div className={styles.head}>
      <CategoryIcon kind={node.kind} />
      <div className={styles.names}>
        <div className={styles.label} title={node.label}>
          {node.label}
        </div>
        {node.label === node.kind.label ? null : <div className={styles.kind}>{node.kind.label}</div>}
      </div>
      {problems.length === 0 ? null : (
        <span className={styles.problem} title={problems.map(({ message }) => message).join('\n')}>
          <TriangleAlert aria-hidden="true" />
        </span>
      )}
    </div>
  )
}

/** The main inputs, and others that differ from their defaults. */
function Values({ node }: { node: DrawnNode }) {
  const kinds = useEditorState((state) => state.kinds)
  const selects = new Set(node.fields.flatMap((input) => (input.selects === undefined ? [] : [input.name])))
  const lines = cardLines(node).map((line) => ({
    ...line,
    text: line.text === '' ? 'not set' : (selects.has(line.name) && kinds.get(line.text)?.label) || line.text,
  }))
  if (lines.length === 0) return null
  return (
    <dl className={styles.values}>
      {lines.map(({ name, label, text, isDefault }) => (
        <div key={name} data-default={isDefault}>
          <dt title={label}>{label}</dt>
          <dd title={text}>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A node of a chat flow: plugs on the left, its output on the right. */
export function PartCard({ data: { node }, width, height }: NodeProps<CanvasNode>) {
  // A card is measured whole before it is drawn small.
  if (useIsFar() && width && height) return <FarCard node={node} width={width} height={height} />
  return (
    <div className={styles.card} data-known={node.known}>
      <Head node={node} />
      {node.plugs.length === 0 ? null : (
        <ul className={styles.plugs}>
          {node.plugs.map((plug) => (
            <li key={plug.name} className={styles.plug} data-plugged={plug.plugged.length > 0}>
              <InputEnd node={node} id={plug.name} label={plug.label} />
              <span className={styles.plugLabel}>{plug.label}</span>
              {plug.optional ? null : <span className={styles.needed}>needed</span>}
            </li>
          ))}
        </ul>
      )}
      <Values node={node} />
      <NodeRun id={node.id} />
      <OutputEnd node={node} id={OUTPUT_HANDLE} label={node.kind.type} />
    </div>
  )
}

/** A step of an agent flow: the step before on the left, what follows on the right. */
export function StepCard({ data: { node }, width, height }: NodeProps<CanvasNode>) {
  if (useIsFar() && width && height) return <FarCard node={node} width={width} height={height} />
  return (
    <div className={`${styles.card} ${styles.step}`} data-known={node.known} data-frame={isFrame(node)}>
      {node.kind.name === 'startAgentflow' ? null : <InputEnd node={node} id={INPUT_HANDLE} />}
      <Head node={node} />
      <Values node={node} />
      {node.outputs.length > 1 ? (
        <ul className={styles.outputs}>
          {node.outputs.map((label, output) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number is what identifies a way out
            <li key={output} className={styles.output}>
              <span className={styles.plugLabel}>{label}</span>
              <OutputEnd node={node} id={`${OUTPUT_HANDLE}-${output}`} label={label} />
            </li>
          ))}
        </ul>
      ) : (
        node.outputs.map((label) => (
          <OutputEnd key={label} node={node} id={`${OUTPUT_HANDLE}-0`} label={label} />
        ))
      )}
      <NodeRun id={node.id} />
    </div>
  )
}

/** A remark on the canvas. */
export function NoteCard({ data: { node } }: NodeProps<CanvasNode>) {
  const { note } = node.values
  return (
    <div className={styles.note} style={{ width: noteWidth(node) }}>
      {typeof note === 'string' && note !== '' ? note : 'An empty note'}
    </div>
  )
}
