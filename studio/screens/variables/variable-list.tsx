import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Plus, Trash2 } from 'lucide-react'
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
import { deleteVariable, listUsedVariables, type Variable } from '../../server/variables.ts'
import { VariableForm } from './variable-form.tsx'
import { LoadState } from '../../parts/load-state.tsx'

type Open = { what: 'new' } | { what: 'change' | 'delete'; row: Variable }

/** The variables that flows use as `{{$vars.name}}`. */
export function VariableList() {
  const { search = '' } = useSearch({ from: '/variables' })
  const navigate = useNavigate({ from: '/variables' })
  const queries = useQueryClient()
  const listed = useQuery({ queryKey: ['variables', 'usage'], queryFn: listUsedVariables })
  const rows = listed.data
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const wanted = search.trim().toLowerCase()
  const found = (rows ?? []).filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))
  const { shown, more } = useFirstRows(found)
  const newVariable = (
    <Button look="main" onClick={() => setOpen({ what: 'new' })}>
      <Plus aria-hidden="true" />
      New variable
    </Button>
  )
  return (
    <ListScreen
      title="Variables"
      about="Values that flows use as {{$vars.name}}, so that they stand in one place."
      search={
        rows && rows.length > 0
          ? {
              label: 'Search variables',
              value: search,
              onChange: (text) =>
                void navigate({ to: '.', search: text ? { search: text } : {}, replace: true }),
            }
          : undefined
      }
      actions={newVariable}
    >
      <LoadState of={listed} />
      {rows?.length === 0 ? (
        <EmptyList title="No variables yet">
          <p>
            Make one, then write <code>{'{{$vars.name}}'}</code> into a text of a node: a prompt, a filter, a
            header.
          </p>
          {newVariable}
        </EmptyList>
      ) : null}
      {rows && rows.length > 0 && found.length === 0 ? (
        <p className={table.quiet}>No variable has “{search.trim()}” in its name or value.</p>
      ) : null}
      {found.length > 0 ? (
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Value</th>
                <th scope="col">Used by</th>
                <th scope="col">Changed</th>
                <th scope="col" aria-label="Actions" />
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.id}>
                  <td className={table.name} title={row.name}>
                    {row.name}
                  </td>
                  <td className={table.wide}>
                    <VariableValue row={row} />
                  </td>
                  <td className={table.wide}>
                    <UsedBy flows={row.usedBy ?? []} />
                  </td>
                  <td className={table.quiet} title={row.updatedDate}>
                    {agoText(row.updatedDate)}
                  </td>
                  <td className={table.actions}>
                    <div>
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
      {open?.what === 'new' ? <VariableForm onClose={close} /> : null}
      {open?.what === 'change' ? <VariableForm row={open.row} onClose={close} /> : null}
      {open?.what === 'delete' ? (
        <AskDeletion
          title={`Delete ${open.row.name}?`}
          onClose={close}
          onConfirm={async () => {
            await deleteVariable(open.row.id)
            await queries.invalidateQueries({ queryKey: ['variables'] })
            tell(`The variable ${open.row.name} was deleted`)
          }}
        >
          {open.row.usedBy && open.row.usedBy.length > 0 ? (
            <Note kind="warning">
              <p>
                These flows use it. In their texts <code>{`{{$vars.${open.row.name}}}`}</code> then stays as
                it is:
              </p>
              <UseList flows={open.row.usedBy} />
            </Note>
          ) : (
            <p>No flow uses it. This cannot be undone.</p>
          )}
        </AskDeletion>
      ) : null}
    </ListScreen>
  )
}

function VariableValue({ row: { type, name, value, isSet } }: { row: Variable }) {
  if (type === 'static')
    return value === '' ? <span className={table.quiet}>empty</span> : <span title={value}>{value}</span>
  return (
    <span title={`SLUICE_VAR_${name}`}>
      <code>SLUICE_VAR_{name}</code>{' '}
      {isSet ? <span className={table.quiet}>is set</span> : <span className={table.warn}>is not set</span>}
    </span>
  )
}
