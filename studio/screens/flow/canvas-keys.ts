import type { KeyboardEvent } from 'react'
import { moveNodes, removeNodes } from '../../drawing/commands.ts'
import type { Point } from '../../drawing/flow-file.ts'
import { type Direction, nodeOrder, nodeTowards } from '../../drawing/node-order.ts'
import type { Editor } from './editor.ts'
import { showInput } from './show-input.ts'

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** How far a key moves a node, in pixels at zoom 1. */
const STEP: Readonly<Record<Direction, Point>> = {
  left: { x: -20, y: 0 },
  right: { x: 20, y: 0 },
  up: { x: 0, y: -20 },
  down: { x: 0, y: 20 },
}

/** The id of the node of the canvas that an event comes from. */
export const nodeIdOf = (target: EventTarget | null): string | undefined =>
  (target instanceof Element && target.closest('.react-flow__node')?.getAttribute('data-id')) || undefined

/**
 * What keys do while a node of the canvas has the focus: arrows follow the lines and the order of the nodes, with Shift they
 * move the node, Enter opens its inputs.
 *
 * @param focusNode gives the focus to another node, which is selected too
 */
export function onNodeKey(event: KeyboardEvent, editor: Editor, focusNode: (id: string) => void): void {
  const id = nodeIdOf(event.target)
  const { graph, selection, select, run, announce } = editor.getState()
  const node = graph.nodes.find((one) => one.id === id)
  if (id === undefined || !node || event.ctrlKey || event.metaKey || event.altKey) return
  const order = nodeOrder(graph)
  const direction = DIRECTIONS[event.key]
  const handled = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  if (direction && event.shiftKey) {
    handled()
    const moving = selection.has(id) ? graph.nodes.filter((one) => selection.has(one.id)) : [node]
    const { x, y } = STEP[direction]
    const places = moving.map(
      ({ id: one, position }) => [one, { x: position.x + x, y: position.y + y }] as const,
    )
    run(moveNodes(new Map(places)))
    announce(`${node.label} is now at ${Math.round(node.position.x + x)}, ${Math.round(node.position.y + y)}`)
    return
  }
  if (direction || event.key === 'Home' || event.key === 'End') {
    handled()
    const next = direction
      ? nodeTowards(graph, order, id, direction)
      : order.at(event.key === 'Home' ? 0 : -1)
    if (next) focusNode(next.id)
    else announce(NOTHING[direction ?? 'up'])
  } else if (event.key === 'Enter') {
    handled()
    showInput(editor, id, null)
  } else if (event.key === ' ') {
    handled()
    const changed = new Set(selection)
    changed[changed.has(id) ? 'delete' : 'add'](id)
    select(changed)
  } else if ((event.key === 'Delete' || event.key === 'Backspace') && selection.size === 0) {
    // A selection is removed by the canvas.
    handled()
    run(removeNodes([id]))
  }
}

const NOTHING: Readonly<Record<Direction, string>> = {
  left: 'Nothing is plugged in here',
  right: 'This goes into no other node',
  up: 'This is the first node',
  down: 'This is the last node',
}
