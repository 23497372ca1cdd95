import {
  applyNodeChanges,
  Background,
  type Connection as Line,
  Controls,
  BezierEdge,
  type Edge,
  type EdgeProps,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import { type DragEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { isFrame } from '../../drawing/card-lines.ts'
import { cardSize } from '../../drawing/card-size.ts'
import { connect, connectSteps, disconnect, moveNodes, removeNodes } from '../../drawing/commands.ts'
import { connectionNames } from '../../drawing/connection-name.ts'
import { refusal, stepRefusal } from '../../drawing/fit.ts'
import type { Point } from '../../drawing/flow-file.ts'
import type { DrawnNode, Graph } from '../../drawing/graph.ts'
import { nodeOrder } from '../../drawing/node-order.ts'
import { tell } from '../../parts/toast.tsx'
import { DRAG_TYPE, useAddNode } from './add-node.ts'
import { nodeIdOf, onNodeKey } from './canvas-keys.ts'
import styles from './canvas.module.css'
import { type Editor, useEditor, useEditorState } from './editor.ts'
import { FittingKinds, type LooseEnd } from './fitting-kinds.tsx'
import { INPUT_HANDLE, OUTPUT_HANDLE, outputOfHandle } from './handles.ts'
import { type CanvasNode, NoteCard, PartCard, StepCard } from './node-card.tsx'
import { useSelectedInSight } from './selected-in-sight.ts'
import { LineCount } from './run/line-count.tsx'
import { focusWhenDrawn } from './show-input.ts'
import { wholeDrawing } from './whole-drawing.ts'

const NODE_TYPES = { part: PartCard, step: StepCard, note: NoteCard }

type NamedLine = Edge<{ name: string }>

/** A line with its name, which a pointer over it shows. */
const NamedEdge = (props: EdgeProps<NamedLine>) => (
  <>
    <title>{props.data?.name}</title>
    <BezierEdge {...props} />
    <LineCount name={props.data?.name} ends={props} />
  </>
)

const EDGE_TYPES = { default: NamedEdge }

/** The drawing: nodes and lines, moved and connected with the mouse. All changes become commands of the editor. */
export function Canvas() {
  const editor = useEditor()
  const graph = useEditorState((state) => state.graph)
  const selection = useEditorState((state) => state.selection)
  const [nodes, setNodes] = useState<CanvasNode[]>(() => graph.nodes.map((node) => canvasNode(node)))
  const [selectedLine, setSelectedLine] = useState<string>()
  const [lastFocused, setLastFocused] = useState<string>()
  const { screenToFlowPosition, getViewport, setCenter } = useReactFlow()
  const addNode = useAddNode()
  const [whole] = useState(wholeDrawing)
  const [looseEnd, setLooseEnd] = useState<LooseEnd>()

  // One node is in the order of the Tab key: the last one that had the focus, or the first of the drawing.
  const order = useMemo(() => nodeOrder(graph), [graph])
  const tabStop = order.some(({ id }) => id === lastFocused) ? lastFocused : order[0]?.id
  useEffect(() => {
    setNodes((before) => {
      const old = new Map(before.map((node) => [node.id, node]))
      return graph.nodes.map((node) => ({
        ...canvasNode(node, old.get(node.id), selection.has(node.id)),
        domAttributes: described(node, node.id === tabStop),
      }))
    })
  }, [graph, selection, tabStop])

  const focusNode = useCallback(
    (id: string) => {
      editor.getState().select([id])
      const drawn = elementOf(id)
      // At once, so that the next key acts on this node however fast it is pressed.
      if (drawn) return drawn.focus()
      const node = editor.getState().graph.nodes.find((one) => one.id === id)
      if (node) void setCenter(node.position.x + 120, node.position.y + 60, { zoom: getViewport().zoom })
      focusWhenDrawn(() => elementOf(id))
    },
    [editor, getViewport, setCenter],
  )

  const names = useMemo(() => connectionNames(graph), [graph])
  const edges = useMemo(
    () =>
      graph.connections.map(
        ({ id, source, target, plug, output }): NamedLine => ({
          id,
          data: { name: names.get(id)! },
          ariaLabel: names.get(id)!,
          source,
          target,
          sourceHandle: plug === undefined ? `${OUTPUT_HANDLE}-${output}` : OUTPUT_HANDLE,
          targetHandle: plug ?? INPUT_HANDLE,
          selected: id === selectedLine,
          className: selection.has(source) || selection.has(target) ? 'near' : '',
        }),
      ),
    [graph, names, selection, selectedLine],
  )

  const only = selection.size === 1 ? [...selection][0] : undefined
  const endLink = useSelectedInSight(only)

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      setNodes((before) => applyNodeChanges(changes.filter(isShownAtOnce), before))
      const moved = new Map<string, Point>()
      const { selection: before, graph: now } = editor.getState()
      const selected = new Set(before)
      for (const change of changes) {
        if (change.type === 'select') selected[change.selected ? 'add' : 'delete'](change.id)
        if (change.type !== 'position' || change.dragging || !change.position) continue
        const { x, y } = change.position
        const old = now.nodes.find(({ id }) => id === change.id)?.position
        if (old && (old.x !== x || old.y !== y)) moved.set(change.id, { x, y })
      }
      if (moved.size > 0) editor.getState().run(moveNodes(moved))
      if (changes.some(({ type }) => type === 'select')) editor.getState().select(selected)
    },
    [editor],
  )

  const onConnectEnd: OnConnectEnd = (event, { fromNode, fromHandle, isValid, toHandle, toNode }) => {
    if (isValid || !fromNode || !fromHandle) return
    const { graph: now } = editor.getState()
    const point = 'changedTouches' in event ? event.changedTouches[0]! : event
    const over = document.elementFromPoint(point.clientX, point.clientY)?.closest('.react-flow__node')
    const otherId = toNode?.id ?? over?.getAttribute('data-id')
    if (!otherId) {
      const { clientX: x, clientY: y } = point
      setLooseEnd({
        x,
        y,
        from: fromNode.id,
        plug: fromHandle.type === 'target' ? (fromHandle.id ?? undefined) : undefined,
      })
    }
    if (!otherId || otherId === fromNode.id) return
    const [from, other] = [nodeOf(now, fromNode.id), nodeOf(now, otherId)]
    if (!from || !other) return
    const forward = fromHandle.type === 'source'
    const [source, target] = forward ? [from, other] : [other, from]
    if (toHandle === null && connectWhereOneFits(editor, source, target, fromHandle.id, forward)) return
    const plug = forward ? (toHandle?.id ?? target.plugs[0]?.name) : fromHandle.id
    tell(
      lineRefusal(now, source, target, OUTPUT_HANDLE, plug) ?? `${source.label} does not fit ${target.label}`,
    )
  }

  return (
    <section
      className={styles.canvas}
      aria-label="Canvas"
      onFocus={(event) => {
        const id = nodeIdOf(event.target)
        if (id !== undefined) setLastFocused(id)
      }}
      onKeyDown={(event) => onNodeKey(event, editor, focusNode)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(DRAG_TYPE)) event.preventDefault()
      }}
      onDrop={(event: DragEvent) => {
        const name = event.dataTransfer.getData(DRAG_TYPE)
        if (name === '') return
        event.preventDefault()
        const at = screenToFlowPosition({ x: event.clientX, y: event.clientY })
        addNode(name, { x: Math.round(at.x - 120), y: Math.round(at.y - 24) })
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={(changes) => {
          for (const change of changes)
            if (change.type === 'select') setSelectedLine(change.selected ? change.id : undefined)
        }}
        onConnect={(line) => drawLine(editor, line)}
        onConnectEnd={onConnectEnd}
        isValidConnection={(line) => fits(editor.getState().graph, line)}
        onBeforeDelete={async ({ nodes: gone, edges: lines }) => {
          const { graph: now, run } = editor.getState()
          const focused = nodeIdOf(document.activeElement)
          const removed = gone.map(({ id }) => id)
          if (gone.length > 0) run(removeNodes(removed))
          if (focused !== undefined && removed.includes(focused)) {
            const next = besides(order, removed, focused)
            if (next) focusNode(next)
          }
          if (gone.length === 0)
            for (const { id } of lines) {
              const found = now.connections.find((one) => one.id === id)
              if (found) run(disconnect(found, names.get(found.id)!))
            }
          // The editor has removed them; the canvas shows what the editor has.
          return false
        }}
        onPaneClick={() => setSelectedLine(undefined)}
        onMoveStart={(event) => event && endLink()}
        deleteKeyCode={['Delete', 'Backspace']}
        multiSelectionKeyCode={['Control', 'Meta', 'Shift']}
        selectionKeyCode="Shift"
        edgesFocusable={false}
        disableKeyboardA11y
        onlyRenderVisibleElements={graph.nodes.length > 60}
        connectionRadius={26}
        minZoom={0.1}
        maxZoom={2}
        fitView
        fitViewOptions={whole}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} size={1.4} />
        <Controls showInteractive={false} fitViewOptions={whole} />
        {graph.nodes.length > 8 ? <MiniMap pannable zoomable ariaLabel="Overview of the canvas" /> : null}
      </ReactFlow>
      {looseEnd ? <FittingKinds end={looseEnd} onClose={() => setLooseEnd(undefined)} /> : null}
    </section>
  )
}

/** What the canvas shows before the editor has it: sizes, and places during a drag. */
const isShownAtOnce = ({ type }: NodeChange<CanvasNode>) => type === 'position' || type === 'dimensions'

function canvasNode(node: DrawnNode, before?: CanvasNode, selected = false): CanvasNode {
  return {
    id: node.id,
    type: node.shape,
    position: node.position,
    data: before?.data.node === node ? before.data : { node },
    selected,
    ariaLabel: node.label === node.kind.label ? node.label : `${node.label}, ${node.kind.label}`,
    ...(before?.measured ? { measured: before.measured } : {}),
    ...(node.parent === undefined ? {} : { parentId: node.parent }),
    ...(node.shape === 'note' ? { zIndex: -1 } : {}),
    ...(isFrame(node) ? { style: cardSize(node), zIndex: -1 } : {}),
  }
}

const elementOf = (id: string): HTMLElement | undefined =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? undefined

/** The node that gets the focus where nodes were removed: the next one in the order, or the one before. */
function besides(
  order: readonly DrawnNode[],
  removed: readonly string[],
  focused: string,
): string | undefined {
  const at = order.findIndex(({ id }) => id === focused)
  const others = [...order.slice(at), ...order.slice(0, at).reverse()]
  return others.find(({ id }) => !removed.includes(id))?.id
}

/** What a screen reader says of a node besides its name, and whether the Tab key leads to it. */
const described = ({ plugs, kind }: DrawnNode, isTabStop: boolean) => ({
  tabIndex: isTabStop ? 0 : -1,
  'aria-roledescription': kind.category === '' ? 'node' : `node of ${kind.category}`,
  'aria-description': plugs
    .map(({ label, plugged, optional }) =>
      plugged.length > 0 ? `${label}: connected` : `${label}: ${optional ? 'empty' : 'needed'}`,
    )
    .join(', '),
})

const nodeOf = (graph: Graph, id: string): DrawnNode | undefined => graph.nodes.find((node) => node.id === id)

function lineRefusal(
  graph: Graph,
  source: DrawnNode,
  target: DrawnNode,
  sourceHandle: string | null,
  targetHandle: string | null | undefined,
): string | undefined {
  if (source.shape !== target.shape) return 'Steps of agent flows are not connected with other nodes'
  if (source.shape === 'step') return stepRefusal(graph, source, target, outputOfHandle(sourceHandle))
  return refusal(graph, source, target, targetHandle ?? '')
}

function fits(graph: Graph, { source, target, sourceHandle, targetHandle }: Line | Edge): boolean {
  const [from, to] = [nodeOf(graph, source), nodeOf(graph, target)]
  return (
    from !== undefined &&
    to !== undefined &&
    lineRefusal(graph, from, to, sourceHandle ?? null, targetHandle) === undefined
  )
}

function drawLine(editor: Editor, { source, target, sourceHandle, targetHandle }: Line): void {
  const { graph, run } = editor.getState()
  const [from, to] = [nodeOf(graph, source), nodeOf(graph, target)]
  if (!from || !to) return
  const plug = to.plugs.find(({ name }) => name === targetHandle)
  if (from.shape === 'step') run(connectSteps(from, to, outputOfHandle(sourceHandle)))
  else if (plug) run(connect(from, to, plug))
}

/** Connects a line that ends on a node, beside its plugs, where just one of them fits. */
function connectWhereOneFits(
  editor: Editor,
  source: DrawnNode,
  target: DrawnNode,
  fromHandle: string | null | undefined,
  forward: boolean,
): boolean {
  const { graph, run } = editor.getState()
  if (source.shape === 'step' && target.shape === 'step') {
    const output = forward ? outputOfHandle(fromHandle) : 0
    if (stepRefusal(graph, source, target, output) !== undefined) return false
    run(connectSteps(source, target, output))
    return true
  }
  const plugs = target.plugs.filter(
    ({ name }) => (forward || name === fromHandle) && refusal(graph, source, target, name) === undefined,
  )
  if (plugs.length !== 1) return false
  run(connect(source, target, plugs[0]!))
  return true
}
