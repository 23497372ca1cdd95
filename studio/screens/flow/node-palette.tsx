import { ChevronRight, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { moveInList } from '../../parts/arrow-list.ts'
import { Button } from '../../parts/button.tsx'
import { isNarrow } from '../../parts/narrow.ts'
import { DRAG_TYPE, NOTE, useAddNode } from './add-node.ts'
import { CategoryIcon } from './category-icon.tsx'
import { useEditorState } from './editor.ts'
import { findKinds } from './find-kinds.ts'
import styles from './node-palette.module.css'

type NodePaletteProps = {
  agentFlow: boolean
  searchBox: RefObject<HTMLInputElement | null>
  shown: boolean
  onShow(shown: boolean): void
}

/** The kinds of nodes: dragged to the canvas, or added with a click or Enter. The list is one stop of Tab; the arrow keys move in it. */
export function NodePalette({ agentFlow, searchBox, shown, onShow }: NodePaletteProps) {
  const kinds = useEditorState((state) => state.kinds)
  const [search, setSearch] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const addNode = useAddNode()
  const add = (name: string) => {
    addNode(name)
    // On a telephone the list covers the canvas.
    if (isNarrow()) onShow(false)
  }
  const groups = findKinds(kinds, search, agentFlow)
  const searching = search.trim() !== ''
  const isOpen = (category: string) => searching || !closed.has(category)
  const [stop, setStop] = useState('')
  const items = groups.flatMap(({ category, kinds: list }) => [
    headingItem(category),
    ...(isOpen(category) ? list.map(({ name }) => name) : []),
  ])
  // What is filtered away cannot be the stop.
  const tabStop = items.includes(stop) || (stop === NOTE && !searching) ? stop : items[0]
  const itemProps = (item: string) => ({
    'data-item': item,
    tabIndex: item === tabStop ? 0 : -1,
    onFocus: () => setStop(item),
  })
  if (!shown)
    return (
      <div className={styles.folded}>
        <Button look="quiet" square aria-label="Show the nodes" onClick={() => onShow(true)}>
          <PanelLeftOpen />
        </Button>
      </div>
    )
  return (
    <nav className={styles.palette} aria-label="Nodes" onKeyDown={moveInList}>
      <div className={styles.head}>
        <label className={styles.search}>
          <Search aria-hidden="true" />
          <input
            ref={searchBox}
            data-item=""
            type="search"
            aria-label="Search nodes"
            placeholder="Search nodes"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              const first = groups[0]?.kinds[0]
              if (event.key === 'Enter' && searching && first) add(first.name)
              if (event.key === 'Escape') setSearch('')
            }}
          />
        </label>
        <Button look="quiet" square aria-label="Hide the nodes" onClick={() => onShow(false)}>
          <PanelLeftClose />
        </Button>
      </div>
      <div className={styles.groups}>
        {groups.map(({ category, kinds: list, inputs }) => {
          const open = isOpen(category)
          return (
            <section key={category} className={styles.group}>
              <h2>
                <button
                  type="button"
                  className={styles.category}
                  {...itemProps(headingItem(category))}
                  aria-expanded={open}
                  onClick={() =>
                    setClosed((now) => {
                      const next = new Set(now)
                      next[open ? 'add' : 'delete'](category)
                      return next
                    })
                  }
                >
                  <ChevronRight aria-hidden="true" />
                  {category}
                </button>
              </h2>
              {open ? (
                <ul>
                  {list.map((kind) => (
                    <PaletteItem
                      key={kind.name}
                      name={kind.name}
                      item={itemProps(kind.name)}
                      label={kind.label}
                      look={kind}
                      about={kind.description}
                      badge={kind.badge === undefined ? undefined : 'experimental'}
                      input={inputs.get(kind.name)}
                      onAdd={add}
                    />
                  ))}
                </ul>
              ) : null}
            </section>
          )
        })}
        {groups.length === 0 ? (
          <p className={styles.nothing}>
            No node has “{search.trim()}” in its name, category, description or inputs.
          </p>
        ) : null}
        {searching ? null : (
          <ul className={styles.group}>
            <PaletteItem
              name={NOTE}
              item={itemProps(NOTE)}
              label="Note"
              look={{ icon: 'sticky-note', colour: 'amber' }}
              about="A remark on the canvas"
              onAdd={add}
            />
          </ul>
        )}
      </div>
    </nav>
  )
}

/** A heading among the names of kinds. */
const headingItem = (category: string): string => `category ${category}`

type PaletteItemProps = {
  name: string
  item: { 'data-item': string; tabIndex: number; onFocus(): void }
  label: string
  look: { icon: string; colour: string }
  about: string
  badge?: string | undefined
  /** The input for which the search found the node. */
  input?: string | undefined
  onAdd(name: string): void
}

function PaletteItem({ name, item, label, look, about, badge, input, onAdd }: PaletteItemProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.item}
        {...item}
        draggable
        title={about}
        onClick={() => onAdd(name)}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAG_TYPE, name)
          event.dataTransfer.effectAllowed = 'copy'
        }}
      >
        <CategoryIcon kind={look} />
        <span>
          {label}
          {badge === undefined ? null : <span className={styles.input}> {badge}</span>}
          {input === undefined ? null : <span className={styles.input}> {input}</span>}
        </span>
      </button>
    </li>
  )
}
