import { useReactFlow } from '@xyflow/react'
import { Link2, Plus, Search, Unlink } from 'lucide-react'
import { useRef, useState } from 'react'
import { type ConnectOffer, connectOffers, newNodeOffers } from '../../drawing/connect-offers.ts'
import type { DrawnNode } from '../../drawing/graph.ts'
import { moveInList } from '../../parts/arrow-list.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { freePlace } from './add-node.ts'
import styles from './connect-dialog.module.css'
import { useEditor } from './editor.ts'

type ConnectDialogProps = { node: DrawnNode; onClose(): void }

/** What a node can be connected with: nodes that are there, new ones, and for all others the reason why not. */
export function ConnectDialog({ node, onClose }: ConnectDialogProps) {
  const editor = useEditor()
  const { getNode } = useReactFlow()
  const box = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [offers] = useState((): { there: ConnectOffer[]; added: ConnectOffer[] } => {
    const { graph, kinds, history } = editor.getState()
    const width = getNode(node.id)?.measured?.width ?? 240
    const { x, y } = node.position
    const places = {
      before: freePlace(graph, { x: x - 330, y }),
      behind: freePlace(graph, { x: x + width + 90, y }),
    }
    return { there: connectOffers(graph, node), added: newNodeOffers(history.file, kinds, node, places) }
  })
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = (list: readonly ConnectOffer[]) =>
    list.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  const there = found(offers.there)
  const [fitting, added] = [there.filter(({ command }) => command), found(offers.added)]
  const refused = there.filter(({ command }) => !command)
  const choose = ({ command }: ConnectOffer) => {
    if (!command) return
    onClose()
    editor.getState().run(command)
  }
  const first = fitting[0] ?? added[0]
  return (
    <Dialog open onClose={onClose} title={`Connect ${node.label}`} focus={box}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus within the list */}
      <div className={styles.list} onKeyDown={moveInList}>
        <label className={styles.search}>
          <Search aria-hidden="true" />
          <input
            ref={box}
            data-item=""
            type="search"
            aria-label="Search connections"
            placeholder="Search connections"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && first) choose(first)
            }}
          />
        </label>
        <Offers title="Nodes on the canvas" icon={<Link2 />} offers={fitting} onChoose={choose} />
        <Offers title="New nodes" icon={<Plus />} offers={added} onChoose={choose} />
        <Offers title="Does not fit" icon={<Unlink />} offers={refused} onChoose={choose} />
        {first || refused.length > 0 ? null : (
          <p className={styles.reason}>
            {search.trim() === ''
              ? 'There is nothing to connect it with.'
              : `Nothing has “${search.trim()}” in it.`}
          </p>
        )}
      </div>
    </Dialog>
  )
}

type OffersProps = {
  title: string
  icon: React.ReactNode
  offers: readonly ConnectOffer[]
  onChoose(offer: ConnectOffer): void
}

function Offers({ title, icon, offers, onChoose }: OffersProps) {
  if (offers.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {offers.map((offer) => (
          <li key={offer.key}>
            <button
              type="button"
              data-item=""
              className={styles.offer}
              aria-disabled={offer.reason !== undefined}
              onClick={() => onChoose(offer)}
            >
              {icon}
              <span>
                {offer.label}
                {offer.reason === undefined ? null : <span className={styles.reason}>{offer.reason}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
