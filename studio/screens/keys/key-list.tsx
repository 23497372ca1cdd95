import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { expiryText } from '../../forms/key-expiry.ts'
import { KeyForm, NewKeyDialog } from '../../forms/key-form.tsx'
import { pinsText } from '../../forms/key-pins.ts'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Button } from '../../parts/button.tsx'
import { EmptyList, ListScreen } from '../../parts/list-screen.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Note } from '../../parts/note.tsx'
import table from '../../parts/row-table.module.css'
import { useFirstRows } from '../../parts/show-more.tsx'
import { tell } from '../../parts/toast.tsx'
import { agoText } from '../../parts/units.ts'
import { UsedBy, UseList } from '../../parts/used-by.tsx'
import { type FlowSummary, listFlows } from '../../server/flows.ts'
import { deleteKey, type Key, listKeys, type NewKey, rotateKey } from '../../server/keys.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { LoadState } from '../../parts/load-state.tsx'

type Open = { what: 'new' } | { what: 'change' | 'replace' | 'delete'; row: Key }

/** The API keys of the server. */
export function KeyList() {
  const { search = '' } = useSearch({ from: '/keys' })
  const navigate = useNavigate({ from: '/keys' })
  const queries = useQueryClient()
  const listed = useQuery({ queryKey: ['keys'], queryFn: listKeys })
  const all = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const flows = all.data
  const isPending = listed.isPending || all.isPending
  const rows = isPending ? undefined : listed.data
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<NewKey>()
  const close = () => setOpen(undefined)
  const found = (rows ?? []).filter(({ keyName, scopes }) =>
    `${keyName} ${scopes.join(' ')}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const reload = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const { shown, more } = useFirstRows(found)
  const newKey = (
    <Button look="main" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden="true" />
      New key
    </Button>
  )
  return (
    <ListScreen
      title="Keys"
      about="Programs send an API key to flows that require one."
      search={
        rows && rows.length > 0
          ? {
              label: 'Search keys',
              value: search,
              onChange: (text) =>
                void navigate({ to: '.', search: text ? { search: text } : {}, replace: true }),
            }
          : undefined
      }
      actions={newKey}
    >
      <LoadState of={{ ...listed, isPending }} />
      <LoadFailure error={all.error} onAgain={all.refetch} what="The flows of the keys cannot be listed" />
      {rows?.length === 0 ? (
        <EmptyList title="No keys yet">
          <p>
            A flow without a key is open to all who can reach the server. Make a key, then require it in the
            configuration of a flow.
          </p>
          {newKey}
        </EmptyList>
      ) : null}
      {rows && rows.length > 0 && found.length === 0 ? (
        <p className={table.quiet}>No key has “{search.trim()}” in its name or scopes.</p>
      ) : null}
      {found.length > 0 ? (
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">May</th>
                <th scope="col">Flows</th>
                <th scope="col">Last used</th>
                <th scope="col">Expires</th>
                <th scope="col" aria-label="Actions" />
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <KeyRow key={row.id} row={row} flows={flows} onOpen={(what) => setOpen({ what, row })} />
              ))}
            </tbody>
          </table>
          {more}
        </div>
      ) : null}
      {open?.what === 'new' ? <KeyForm onClose={close} onMade={setMade} /> : null}
      {open?.what === 'change' ? <KeyForm row={open.row} onClose={close} /> : null}
      {open?.what === 'replace' ? (
        <AskDeletion
          title={`Replace ${open.row.keyName}?`}
          button="Replace the key"
          onClose={close}
          onConfirm={async () => {
            setMade(await rotateKey(open.row.id))
            await reload()
          }}
        >
          <p>
            A new key takes its place, with the same rights and flows. The present key is refused at once:
            programs that send it need the new one.
          </p>
          <UseList flows={usesOf(open.row, flows)} />
        </AskDeletion>
      ) : null}
      {open?.what === 'delete' ? (
        <AskDeletion
          title={`Delete ${open.row.keyName}?`}
          onClose={close}
          onConfirm={async () => {
            await deleteKey(open.row.id)
            await reload()
            tell(`The key ${open.row.keyName} was deleted`)
          }}
        >
          <DeletionNote row={open.row} flows={flows} />
        </AskDeletion>
      ) : null}
      {made ? <NewKeyDialog made={made} onClose={() => setMade(undefined)} /> : null}
    </ListScreen>
  )
}

type KeyRowProps = {
  row: Key
  flows: Flows
  onOpen(what: 'change' | 'replace' | 'delete'): void
}

function KeyRow({ row, flows, onOpen }: KeyRowProps) {
  const { keyName, scopes, lastUsedAt, expiresAt, pins = {} } = row
  const expiry = expiryText(expiresAt, Date.now())
  return (
    <tr>
      <td className={table.name} title={keyName}>
        {keyName}
        {Object.keys(pins).length > 0 ? <span className={table.chip}>{pinsText(pins)}</span> : null}
      </td>
      <td>
        {scopes.map((scope) => (
          <span key={scope} className={table.chip}>
            {scope}
          </span>
        ))}
      </td>
      <td className={table.wide}>
        {scopes.includes('manage') ? 'all' : <UsedBy flows={usesOf(row, flows)} />}
      </td>
      <td className={table.quiet} title={lastUsedAt ?? undefined}>
        {lastUsedAt ? agoText(lastUsedAt) : 'never'}
      </td>
      <td className={expiry.soon ? table.warn : table.quiet}>{expiry.text}</td>
      <td className={table.actions}>
        <div>
          <Menu
            button={
              <Button look="quiet" square aria-label={`Actions for ${keyName}`}>
                <EllipsisVertical />
              </Button>
            }
          >
            <MenuItem icon={<Pencil />} onSelect={() => onOpen('change')}>
              Change
            </MenuItem>
            <MenuItem icon={<RefreshCw />} onSelect={() => onOpen('replace')}>
              Replace
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Trash2 />} danger onSelect={() => onOpen('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </div>
      </td>
    </tr>
  )
}

/** Undefined where they cannot be read. */
type Flows = readonly FlowSummary[] | undefined

/** The flows that require a key, then those that it opens besides, by their ids where the flows cannot be read. */
function usesOf({ chatFlows = [], flows: listed }: Key, flows: Flows) {
  const bound = chatFlows.map(({ id, flowName, slug }) => ({ id, slug, name: flowName, nodes: [] }))
  const others = (flows ?? listed.map((id) => ({ id, slug: id, name: id })))
    .filter(({ id }) => listed.includes(id) && !bound.some((flow) => flow.id === id))
    .map(({ id, slug, name }) => ({ id, slug, name, nodes: [] }))
  return [...bound, ...others]
}

function DeletionNote({ row, flows }: { row: Key; flows: Flows }) {
  const bound = row.chatFlows ?? []
  const all = usesOf(row, flows)
  if (all.length === 0) return <p>No flow uses it. This cannot be undone.</p>
  return (
    <Note kind="warning">
      {bound.length > 0 ? (
        <>
          <p>These flows require it. They stay closed until they get another key:</p>
          <UseList flows={all.slice(0, bound.length)} />
        </>
      ) : null}
      {all.length > bound.length ? (
        <>
          <p>Programs that use it lose their access to:</p>
          <UseList flows={all.slice(bound.length)} />
        </>
      ) : null}
    </Note>
  )
}
