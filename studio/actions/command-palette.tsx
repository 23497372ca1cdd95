import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { messageOf } from '../server/call.ts'
import { listSources } from '../server/documents.ts'
import { type FlowSummary, listFlows } from '../server/flows.ts'
import styles from './command-palette.module.css'
import { type ActionGroup, findActions } from './find-actions.ts'
import { type Action, registeredActions } from './registry.ts'
import { useGeneralActions } from './general-actions.ts'

const NONE: readonly FlowSummary[] = []

/** How many documents of the open flow are listed. */
const DOCUMENTS = 30

/** Every command, screen, flow and document of the open flow by name: a search box over a list. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const input = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [here] = useState(registeredActions)
  const { id: flow } = useParams({ strict: false })
  const listed = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const flows = listed.data ?? NONE
  const name = search.trim()
  const { data: documents = [] } = useQuery({
    queryKey: ['palette-documents', flow, name],
    // The server searches all documents of the flow.
    queryFn: async () =>
      (await listSources(flow!, { search: name === '' ? undefined : name, page: 1, limit: DOCUMENTS })).data,
    enabled: flow !== undefined,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const general = useGeneralActions(flows, flow, documents)
  const groups = useMemo(() => findActions([...here, ...general], search), [here, general, search])
  const run = (action: Action) => {
    onClose()
    // After the focus went back to where it was: a command may move it.
    requestAnimationFrame(() => action.run())
  }
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.palette} aria-label="Commands" initialFocus={input}>
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            value={search}
            onValueChange={(value, { reason }) => reason === 'item-press' || setSearch(value)}
            itemToStringValue={({ label }: Action) => label}
          >
            <div className={styles.search}>
              <Search aria-hidden="true" />
              <Autocomplete.Input
                ref={input}
                aria-label="Search commands"
                placeholder="Search commands, inputs, flows and documents"
              />
            </div>
            <div className={styles.body}>
              <Autocomplete.Empty className={styles.empty}>
                {groups.length === 0 ? `Nothing here is called “${search.trim()}”.` : null}
                {listed.error ? ` The flows cannot be listed: ${messageOf(listed.error)}` : null}
              </Autocomplete.Empty>
              <Autocomplete.List aria-label="Commands">
                {(group: ActionGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items}>
                    <Autocomplete.GroupLabel className={styles.group}>{group.value}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(action: Action) => (
                        <Autocomplete.Item
                          key={action.id}
                          value={action}
                          className={styles.item}
                          title={action.label}
                          onClick={() => run(action)}
                        >
                          <span className={styles.label}>{action.label}</span>
                          {action.keys === undefined ? null : (
                            <kbd className={styles.keys}>{action.keys}</kbd>
                          )}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
