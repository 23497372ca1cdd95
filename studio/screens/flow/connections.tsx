import { ArrowRight, Link2, Plus, Unlink } from 'lucide-react'
import { addPlugged, type Command, connect, connectSteps, disconnect } from '../../drawing/commands.ts'
import { connectionNames } from '../../drawing/connection-name.ts'
import { kindsThatFit, refusal, stepRefusal } from '../../drawing/fit.ts'
import type { Connection, DrawnNode, Graph, Plug } from '../../drawing/graph.ts'
import { Button } from '../../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { freePlace } from './add-node.ts'
import { useEditor, useEditorState } from './editor.ts'
import styles from './inputs-panel.module.css'

/** The plugs of a node with what is in them: connecting and disconnecting without the mouse. */
export function Connections({ node }: { node: DrawnNode }) {
  const graph = useEditorState((state) => state.graph)
  const editor = useEditor()
  const labelOf = (id: string) => graph.nodes.find((one) => one.id === id)?.label ?? id
  const run = (command: Command) => editor.getState().run(command)
  const names = connectionNames(graph)
  const leaving = graph.connections.filter(({ source }) => source === node.id)
  const targets = targetsOf(graph, node)
  if (node.plugs.length === 0 && leaving.length === 0 && targets.length === 0) return null
  return (
    <section className={styles.connections} aria-label="Connections">
      {node.plugs.map((plug) => (
        <div key={plug.name} className={styles.plug} data-input={plug.name}>
          <div className={styles.plugHead}>
            <h3>
              {plug.label}
              {plug.optional || plug.plugged.length > 0 ? null : (
                <span className={styles.needed}> needed</span>
              )}
            </h3>
            <PlugMenu node={node} plug={plug} graph={graph} />
          </div>
          {plug.plugged.map((id) => (
            <LineRow
              key={id}
              label={labelOf(id)}
              what={`${labelOf(id)} from ${plug.label}`}
              title={names.get(lineOf(graph, id, node.id, plug.name)?.id ?? '')}
              onOpen={() => editor.getState().select([id])}
              onRemove={() => {
                const line = lineOf(graph, id, node.id, plug.name)!
                run(disconnect(line, names.get(line.id)!))
              }}
            />
          ))}
        </div>
      ))}
      {leaving.length === 0 && targets.length === 0 ? null : (
        <div className={styles.plug}>
          <div className={styles.plugHead}>
            <h3>{node.shape === 'step' ? 'Followed by' : 'Goes into'}</h3>
            {targets.length === 0 ? null : (
              <Menu
                button={
                  <Button look="quiet" aria-label={`Connect ${node.label} to another node`}>
                    <Link2 aria-hidden="true" />
                    Connect
                  </Button>
                }
              >
                {targets.map(({ key, label, command }) => (
                  <MenuItem key={key} icon={<ArrowRight />} onSelect={() => run(command)}>
                    {label}
                  </MenuItem>
                ))}
              </Menu>
            )}
          </div>
          {leaving.map((line) => {
            const output = node.outputs.length > 1 ? `${node.outputs[line.output]}: ` : ''
            return (
              <LineRow
                key={line.id}
                label={`${output}${labelOf(line.target)}`}
                what={`${node.label} from ${labelOf(line.target)}`}
                title={names.get(line.id)}
                onOpen={() => editor.getState().select([line.target])}
                onRemove={() => run(disconnect(line, names.get(line.id)!))}
              />
            )
          })}
        </div>
      )}
    </section>
  )
}

type LineRowProps = {
  label: string
  what: string
  /** The whole connection in words. */
  title: string | undefined
  onOpen(): void
  onRemove(): void
}

function LineRow({ label, what, title, onOpen, onRemove }: LineRowProps) {
  return (
    <div className={styles.line}>
      <button type="button" className={styles.lineName} title={title} onClick={onOpen}>
        {label}
      </button>
      <Button look="quiet" square aria-label={`Disconnect ${what}`} onClick={onRemove}>
        <Unlink />
      </Button>
    </div>
  )
}

/** What can be plugged in: nodes that are there, and new ones. */
function PlugMenu({ node, plug, graph }: { node: DrawnNode; plug: Plug; graph: Graph }) {
  const editor = useEditor()
  const kinds = useEditorState((state) => state.kinds)
  const there = graph.nodes.filter(
    (one) => one.shape === 'part' && refusal(graph, one, node, plug.name) === undefined,
  )
  const add = (name: string) => {
    const { history, run } = editor.getState()
    const kind = kinds.get(name)
    if (!kind) return
    const place = freePlace(graph, {
      x: node.position.x - 330,
      y: node.position.y + plug.plugged.length * 90,
    })
    run(addPlugged(history.file, kind, place, node, plug))
  }
  return (
    <Menu
      button={
        <Button look="quiet" data-connect="" aria-label={`Connect ${plug.label}`}>
          <Plus aria-hidden="true" />
          Connect
        </Button>
      }
    >
      {there.map((one) => (
        <MenuItem
          key={one.id}
          icon={<Link2 />}
          onSelect={() => editor.getState().run(connect(one, node, plug))}
        >
          {one.label}
        </MenuItem>
      ))}
      {there.length > 0 ? <MenuLine /> : null}
      {kindsThatFit(kinds, plug).map(({ name, label }) => (
        <MenuItem key={name} icon={<Plus />} onSelect={() => add(name)}>
          New {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

const lineOf = (graph: Graph, source: string, target: string, plug: string): Connection | undefined =>
  graph.connections.find((one) => one.source === source && one.target === target && one.plug === plug)

type Target = { key: string; label: string; command: Command }

/** Where a node can be connected to. */
function targetsOf(graph: Graph, node: DrawnNode): Target[] {
  if (node.shape === 'step')
    return node.outputs.flatMap((output, at) =>
      graph.nodes
        .filter((one) => one.shape === 'step' && stepRefusal(graph, node, one, at) === undefined)
        .map((one) => ({
          key: `${at} ${one.id}`,
          label: node.outputs.length > 1 ? `${output}: ${one.label}` : one.label,
          command: connectSteps(node, one, at),
        })),
    )
  return graph.nodes.flatMap((one) =>
    one.plugs
      .filter(({ name }) => refusal(graph, node, one, name) === undefined)
      .map((plug) => ({
        key: `${one.id} ${plug.name}`,
        label: `${plug.label} of ${one.label}`,
        command: connect(node, one, plug),
      })),
  )
}
