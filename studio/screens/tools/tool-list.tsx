import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EllipsisVertical, FileUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { AskDeletion } from '../../parts/ask-deletion.tsx'
import { Button } from '../../parts/button.tsx'
import { EmptyList, ListScreen } from '../../parts/list-screen.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Note } from '../../parts/note.tsx'
import table from '../../parts/row-table.module.css'
import { useFirstRows } from '../../parts/show-more.tsx'
import { tell } from '../../parts/toast.tsx'
import { agoText } from '../../parts/units.ts'
import { UsedBy, UseList } from '../../parts/used-by.tsx'
import { messageOf } from '../../server/call.ts'
import { createTool, type CustomTool, deleteTool, listUsedTools } from '../../server/custom-tools.ts'
import { rowsOfSchema } from './schema-rows.ts'
import { ToolForm } from './tool-form.tsx'

type Open = { what: 'new' } | { what: 'change' | 'delete'; row: CustomTool }

/** The tools whose code is written here. */
export function ToolList() {
  const { search = '' } = useSearch({ from: '/tools' })
  const navigate = useNavigate({ from: '/tools' })
  const queries = useQueryClient()
  const listed = useQuery({ queryKey: ['tools', 'usage'], queryFn: listUsedTools })
  const rows = listed.data
  const [open, setOpen] = useState<Open>()
  const [refused, setRefused] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const close = () => setOpen(undefined)
  const wanted = search.trim().toLowerCase()
  const found = (rows ?? []).filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  )
  const { shown, more } = useFirstRows(found)

  const importFile = async (file: File | undefined) => {
    if (!file) return
    setRefused(undefined)
    try {
      const tool = await createTool(readFile(await file.text()))
      await queries.invalidateQueries({ queryKey: ['tools'] })
      tell(`The tool ${tool.name} was imported`)
      if (tool.problems.length > 0) setOpen({ what: 'change', row: { ...tool, usedBy: [] } })
    } catch (thrown) {
      setRefused(`${file.name}: ${messageOf(thrown)}`)
    }
  }

  const actions = (
    <>
      <Button onClick={() => picker.current?.click()}>
        <FileUp aria-hidden="true" />
        Import a tool
      </Button>
      <Button look="main" onClick={() => setOpen({ what: 'new' })}>
        <Plus aria-hidden="true" />
        New tool
      </Button>
    </>
  )
  return (
    <ListScreen
      title="Tools"
      about="JavaScript that models call through the node Custom Tool. It runs in a sandbox."
      search={
        rows && rows.length > 0
          ? {
              label: 'Search tools',
              value: search,
              onChange: (text) =>
                void navigate({ to: '.', search: text ? { search: text } : {}, replace: true }),
            }
          : undefined
      }
      actions={actions}
    >
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="The file of a tool"
        onChange={(event) => {
          void importFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <LoadState of={listed} />
      {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
      {rows?.length === 0 ? (
        <EmptyList title="No tools yet">
          <p>
            Write one, or import the file of a tool of Flowise. Then choose it in the node Custom Tool of a
            flow.
          </p>
          {actions}
        </EmptyList>
      ) : null}
      {rows && rows.length > 0 && found.length === 0 ? (
        <p className={table.quiet}>No tool has “{search.trim()}” in its name or description.</p>
      ) : null}
      {found.length > 0 ? (
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Description</th>
                <th scope="col">Inputs</th>
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
                    <About row={row} />
                  </td>
                  <td className={table.wide}>
                    {rowsOfSchema(row.schema)
                      ?.map(({ property }) => property)
                      .join(', ') || <span className={table.quiet}>none</span>}
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
      {open?.what === 'new' ? <ToolForm onClose={close} /> : null}
      {open?.what === 'change' ? <ToolForm row={open.row} onClose={close} /> : null}
      {open?.what === 'delete' ? (
        <AskDeletion
          title={`Delete ${open.row.name}?`}
          onClose={close}
          onConfirm={async () => {
            await deleteTool(open.row.id)
            await queries.invalidateQueries({ queryKey: ['tools'] })
            tell(`The tool ${open.row.name} was deleted`)
          }}
        >
          {open.row.usedBy && open.row.usedBy.length > 0 ? (
            <Note kind="warning">
              <p>These flows use it. Their answers are refused until they name another tool:</p>
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

function About({ row: { description, problems } }: { row: CustomTool }) {
  const [first] = problems
  return (
    <span title={description}>
      {description === '' ? <span className={table.quiet}>no description</span> : description}
      {first ? <span className={table.warn}> It cannot run: {first.message}</span> : null}
    </span>
  )
}

/** @throws Error for a file that is no tool */
function readFile(text: string): object {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
  if (typeof read !== 'object' || read === null || !('func' in read) || !('name' in read))
    throw new Error('it is not the file of a tool: it has no name and no func')
  return read
}
