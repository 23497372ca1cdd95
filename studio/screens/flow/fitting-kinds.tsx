import { Menu as Base } from '@base-ui/react/menu'
import { useReactFlow } from '@xyflow/react'
import menu from '../../parts/menu.module.css'
import { addFedBy, addPlugged, type Command } from '../../drawing/commands.ts'
import { kindsThatFit, plugsThatTake } from '../../drawing/fit.ts'
import { MenuItem } from '../../parts/menu.tsx'
import type { NodeKindAnswer } from '../../../src/api/node.ts'
import { CategoryIcon } from './category-icon.tsx'
import { useEditor } from './editor.ts'

/** Where a line was let go on the empty canvas, in pixels of the window, and the end from which it was drawn. */
export type LooseEnd = {
  x: number
  y: number
  from: string
  /** The plug from which it was drawn; undefined for the output of the node. */
  plug: string | undefined
}

type Offer = { key: string; label: string; kind: NodeKindAnswer; command: Command & { id: string } }

/** New nodes that fit the line that was let go. */
export function FittingKinds({ end, onClose }: { end: LooseEnd; onClose(): void }) {
  const editor = useEditor()
  const { screenToFlowPosition } = useReactFlow()
  const offers = offersFor(end)
  if (offers.length === 0) return null
  const anchor = { getBoundingClientRect: () => new DOMRect(end.x, end.y, 0, 0) }
  return (
    <Base.Root open onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Positioner className={menu.place} anchor={anchor} align="start" collisionPadding={8}>
          <Base.Popup className={menu.menu} aria-label="Nodes that fit">
            {offers.map(({ key, label, kind, command }) => (
              <MenuItem
                key={key}
                icon={<CategoryIcon kind={kind} />}
                onSelect={() => editor.getState().run(command, [command.id])}
              >
                {label}
              </MenuItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )

  function offersFor({ x, y, from, plug: plugName }: LooseEnd): Offer[] {
    const { graph, kinds, history } = editor.getState()
    const node = graph.nodes.find(({ id }) => id === from)
    if (node?.shape !== 'part') return []
    const at = screenToFlowPosition({ x, y })
    const plug = node.plugs.find(({ name }) => name === plugName)
    const round = (left: number) => ({ x: Math.round(at.x - left), y: Math.round(at.y - 24) })
    if (plug)
      return kindsThatFit(kinds, plug).map((kind) => ({
        key: kind.name,
        label: kind.label,
        kind,
        command: addPlugged(history.file, kind, round(240), node, plug),
      }))
    return [...kinds.values()].flatMap((kind) =>
      plugsThatTake(kind, node.kind).map((taking) => ({
        key: `${kind.name} ${taking.name}`,
        label: `${kind.label}: ${taking.label}`,
        kind,
        command: addFedBy(history.file, kind, round(0), node, taking),
      })),
    )
  }
}
