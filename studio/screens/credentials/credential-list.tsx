import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, PlugZap, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
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
import {
  type Credential,
  deleteCredential,
  listCredentialKinds,
  listUsedCredentials,
} from '../../server/credentials.ts'
import { CredentialForm } from './credential-form.tsx'
import { TestDialog } from './credential-test.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { LoadState } from '../../parts/load-state.tsx'

type Open = { what: 'new' } | { what: 'change' | 'test' | 'delete'; row: Credential }

/** The credentials of the server, without their secrets. */
export function CredentialList() {
  const { search = '' } = useSearch({ from: '/credentials' })
  const navigate = useNavigate({ from: '/credentials' })
  const queries = useQueryClient()
  const listed = useQuery({ queryKey: ['credentials', 'usage'], queryFn: listUsedCredentials })
  const rows = listed.data
  const known = useQuery({ queryKey: ['credential-kinds'], queryFn: listCredentialKinds })
  const kinds = known.data ?? []
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const labelOf = (name: string) => kinds.find((kind) => kind.name === name)?.label ?? name
  const wanted = search.trim().toLowerCase()
  const found = (rows ?? []).filter(({ name, credentialName }) =>
    `${name} ${credentialName} ${labelOf(credentialName)}`.toLowerCase().includes(wanted),
  )
  const { shown, more } = useFirstRows(found)
  const newCredential = (
    <Button look="main" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden="true" />
      New credential
    </Button>
  )
  return (
    <ListScreen
      title="Credentials"
      about="Secrets of providers and APIs that nodes use. They are stored encrypted and never shown again."
      search={
        rows && rows.length > 0
          ? {
              label: 'Search credentials',
              value: search,
              onChange: (text) =>
                void navigate({ to: '.', search: text ? { search: text } : {}, replace: true }),
            }
          : undefined
      }
      actions={newCredential}
    >
      <LoadState of={listed} />
      <LoadFailure
        error={known.error}
        onAgain={known.refetch}
        what="The kinds of credentials cannot be listed, so that none can be made or tested"
      />
      {rows?.length === 0 ? (
        <EmptyList title="No credentials yet">
          <p>
            Chat models, embeddings and tools of providers need a key. Store it here once; the built-in
            embeddings need none.
          </p>
          {newCredential}
        </EmptyList>
      ) : null}
      {rows && rows.length > 0 && found.length === 0 ? (
        <p className={table.quiet}>No credential has “{search.trim()}” in its name or kind.</p>
      ) : null}
      {found.length > 0 ? (
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Used by</th>
                <th scope="col">Last used</th>
                <th scope="col" aria-label="Actions" />
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.id}>
                  <td className={table.name} title={row.name}>
                    {row.name}
                  </td>
                  <td className={table.quiet}>{labelOf(row.credentialName)}</td>
                  <td className={table.wide}>
                    <UsedBy flows={row.usedBy ?? []} />
                  </td>
                  <td className={table.quiet} title={row.lastUsedAt ?? undefined}>
                    {row.lastUsedAt ? agoText(row.lastUsedAt) : 'never'}
                  </td>
                  <td className={table.actions}>
                    <div>
                      <Button
                        look="quiet"
                        aria-label={`Test ${row.name}`}
                        onClick={() => setOpen({ what: 'test', row })}
                      >
                        <PlugZap aria-hidden="true" />
                        Test
                      </Button>
                      <Menu
                        button={
                          <Button look="quiet" square aria-label={`Actions for ${row.name}`}>
                            <EllipsisVertical />
                          </Button>
                        }
                      >
                        <MenuItem icon={<Pencil />} onSelect={() => setOpen({ what: 'change', row })}>
                          Change
                        </MenuItem>
                        <MenuLine />
                        <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen({ what: 'delete', row })}>
                          Delete
                        </MenuItem>
                      </Menu>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {more}
        </div>
      ) : null}
      {open?.what === 'new' ? <CredentialForm kinds={kinds} onClose={close} /> : null}
      {open?.what === 'change' ? <CredentialForm kinds={kinds} row={open.row} onClose={close} /> : null}
      {open?.what === 'test' ? (
        <TestDialog
          row={open.row}
          kind={kinds.find(({ name }) => name === open.row.credentialName)}
          onClose={close}
        />
      ) : null}
      {open?.what === 'delete' ? (
        <AskDeletion
          title={`Delete ${open.row.name}?`}
          onClose={close}
          onConfirm={async () => {
            await deleteCredential(open.row.id)
            await queries.invalidateQueries({ queryKey: ['credentials'] })
            tell(`The credential ${open.row.name} was deleted`)
          }}
        >
          {open.row.usedBy && open.row.usedBy.length > 0 ? (
            <Note kind="warning">
              <p>These flows use it and fail until they get another one:</p>
              <UseList flows={open.row.usedBy} />
            </Note>
          ) : (
            <p>No flow uses it. Its secret is lost; this cannot be undone.</p>
          )}
        </AskDeletion>
      ) : null}
    </ListScreen>
  )
}
