import { useReactFlow } from '@xyflow/react'
import { addNode, addNote } from '../../drawing/commands.ts'
import type { Point } from '../../drawing/flow-file.ts'
import { isFrame } from '../../drawing/card-lines.ts'
import { cardSize } from '../../drawing/card-size.ts'
import type { Graph } from '../../drawing/graph.ts'
import { useEditor } from './editor.ts'

/** What is dragged from the palette: the name of a node kind. */
export const DRAG_TYPE = 'application/x-sluice-node'

/** The name that stands for a note, which is no kind of node of the server. */
export const NOTE = 'stickyNote'

/** Adds a node by the name of its kind and selects it; without a place, where the canvas is looked at. */
export function useAddNode(): (name: string, at?: Point) => void {
  const editor = useEditor()
  const { screenToFlowPosition } = useReactFlow()
  return (name, at) => {
    const { kinds, history, graph, run } = editor.getState()
    const place = at ?? freePlace(graph, screenToFlowPosition(middleOfCanvas()))
    const kind = kinds.get(name)
    const command =
      name === NOTE ? addNote(history.file, place) : kind ? addNode(history.file, kind, place) : undefined
    if (command) run(command, [command.id])
  }
}

function middleOfCanvas(): Point {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect()
  return box ? { x: box.left + box.width / 2 - 120, y: box.top + box.height / 2 - 60 } : { x: 0, y: 0 }
}

/** About how large a new node is. */
const ROOM = { width: 240, height: 130 }

/** The nearest place below in which a new node covers no other. */
export function freePlace(graph: Graph, { x, y }: Point): Point {
  const place = { x: Math.round(x), y: Math.round(y) }
  const isCovered = () =>
    graph.nodes.some(
      (node) =>
        node.parent === undefined &&
        !isFrame(node) &&
        overlap(place.x, ROOM.width, node.position.x, cardSize(node).width) &&
        overlap(place.y, ROOM.height, node.position.y, cardSize(node).height),
    )
  while (isCovered()) {
    place.y += 32
  }
  return place
}

const overlap = (one: number, length: number, other: number, otherLength: number): boolean =>
  one < other + otherLength && other < one + length
