import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useStore } from 'zustand'
import { SwitchInput } from '../../../forms/switch-input.tsx'
import forms from '../../../forms/forms.module.css'
import { Button } from '../../../parts/button.tsx'
import type { FlowRequests } from '../../../server/flow-requests.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './configuration.module.css'
import {
  areOverridesOpen,
  isEnabled,
  isOptionEnabled,
  isVariableEnabled,
  setEnabled,
  setOptionEnabled,
  setOverridesOpen,
  setVariableEnabled,
  type SwitchedNode,
} from './override-switches.ts'

const GUARDS: Readonly<Record<string, string>> = {
  credential: 'secret',
  url: 'address',
  path: 'path',
  table: 'table',
}

/** Options of requests that belong to no node. */
const OPTIONS = [
  { name: 'returnSourceDocuments', label: 'Return Source Documents', type: 'boolean' },
  { name: 'addMetadata', label: 'Add Metadata', type: 'json' },
] as const

/** A switch for each input of each node. */
export function OverridesSection({ requests }: { requests: FlowRequests }) {
  const { configuration } = useOpenFlow()
  const apiConfig = useStore(configuration, ({ now }) => now.apiConfig)
  const { search = '' } = useSearch({ from: '/flows/$id/configuration' })
  const navigate = useNavigate({ from: '/flows/$id/configuration' })
  const change = (next: typeof apiConfig) => configuration.getState().change({ apiConfig: next })
  const open = areOverridesOpen(apiConfig)
  const wanted = search.trim().toLowerCase()
  const nodes: SwitchedNode[] = requests.nodes
  const shown = requests.nodes
    .map((node) => ({
      ...node,
      inputs: node.inputs.filter(
        ({ name, label, type }) =>
          type !== 'file' && `${name} ${label} ${node.label} ${node.id}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter(({ inputs }) => inputs.length > 0)
  const options = OPTIONS.filter(({ name, label }) =>
    `${name} ${label} request`.toLowerCase().includes(wanted),
  )
  const variables = requests.variables.filter(({ name }) => `variable ${name}`.toLowerCase().includes(wanted))

  return (
    <div className={forms.form}>
      <SwitchInput
        id="overrides-open"
        input={{
          name: 'status',
          label: 'Requests may override',
          type: 'boolean',
          optional: true,
          description: 'While this is off, the switches below are kept and have no effect.',
        }}
        value={open}
        onChange={(value) => change(setOverridesOpen(apiConfig, value === true))}
      />
      <label className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          aria-label="Search inputs"
          placeholder="Search inputs and nodes"
          value={search}
          onChange={(event) =>
            void navigate({
              to: '.',
              search: event.target.value ? { search: event.target.value } : {},
              hash: 'overrides',
              hashScrollIntoView: false,
              replace: true,
            })
          }
        />
      </label>
      {shown.map((node) => {
        const target = nodes.find(({ id }) => id === node.id)!
        const on = node.inputs.filter((input) => isEnabled(apiConfig, target, input)).length
        const setAll = (enabled: boolean) =>
          change(
            node.inputs
              // A secret, an address, a path or a table is opened one by one.
              .filter(({ guard }) => !enabled || guard === null)
              .reduce(
                (config, input) =>
                  isEnabled(config, target, input) === enabled
                    ? config
                    : setEnabled(config, nodes, target, input, enabled),
                apiConfig,
              ),
          )
        return (
          <details key={node.id} className={styles.node} open={wanted !== '' || on > 0}>
            <summary>
              <span className={styles.nodeName} title={node.id}>
                {node.label}
              </span>
              <span className={styles.about}>
                {node.requests.length === 0 ? 'takes part in no request, ' : ''}
                {on} of {node.inputs.length} on
              </span>
            </summary>
            <div className={styles.nodeActions}>
              <Button disabled={!open} onClick={() => setAll(true)} aria-label={`All on for ${node.label}`}>
                All on
              </Button>
              <Button disabled={!open} onClick={() => setAll(false)} aria-label={`All off for ${node.label}`}>
                All off
              </Button>
              {node.inputs.some(({ guard }) => guard !== null) ? (
                <span className={styles.about}>
                  “All on” leaves out secrets, addresses, paths and tables.
                </span>
              ) : null}
            </div>
            <ul className={styles.switches}>
              {node.inputs.map((input) => (
                <li key={input.name}>
                  <SwitchRow
                    name={input.name}
                    label={input.label}
                    about={`${input.label} of ${node.label}`}
                    guard={input.guard}
                    isOn={isEnabled(apiConfig, target, input)}
                    disabled={!open}
                    onChange={(on) => change(setEnabled(apiConfig, nodes, target, input, on))}
                  />
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      <Rows
        title="The request itself"
        about="options of an upsert that belong to no node"
        isOpen={wanted !== ''}
        rows={options.map((option) => ({
          name: option.name,
          label: option.label,
          isOn: isOptionEnabled(apiConfig, option.name),
          set: (on) => change(setOptionEnabled(apiConfig, option, on)),
        }))}
        disabled={!open}
      />
      <Rows
        title="Variables"
        about="given as overrideConfig.vars"
        isOpen={wanted !== ''}
        rows={variables.map(({ name }) => ({
          name: `$vars.${name}`,
          label: `Variable ${name}`,
          isOn: isVariableEnabled(apiConfig, name),
          set: (on) => change(setVariableEnabled(apiConfig, name, on)),
        }))}
        disabled={!open}
      />
      {shown.length + variables.length + options.length === 0 ? (
        <p className={styles.about}>No input or node has “{search.trim()}” in its name.</p>
      ) : null}
    </div>
  )
}

type RowsProps = {
  title: string
  about: string
  isOpen: boolean
  rows: readonly { name: string; label: string; isOn: boolean; set(on: boolean): void }[]
  disabled: boolean
}

/** Switches that belong to no node. */
function Rows({ title, about, isOpen, rows, disabled }: RowsProps) {
  if (rows.length === 0) return null
  return (
    <details className={styles.node} open={isOpen}>
      <summary>
        <span className={styles.nodeName}>{title}</span>
        <span className={styles.about}>{about}</span>
      </summary>
      <ul className={styles.switches}>
        {rows.map(({ name, label, isOn, set }) => (
          <li key={name}>
            <SwitchRow
              name={name}
              label={label}
              about={label}
              guard={null}
              isOn={isOn}
              disabled={disabled}
              onChange={set}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

type SwitchRowProps = {
  name: string
  label: string
  /** What the switch is for, without what stands around it. */
  about: string
  guard: string | null
  isOn: boolean
  disabled: boolean
  onChange(on: boolean): void
}

function SwitchRow({ name, label, about, guard, isOn, disabled, onChange }: SwitchRowProps) {
  return (
    <label className={styles.switchRow}>
      <span className={styles.switchName}>
        {label} <code>{name}</code>
        {guard === null ? null : <span className={styles.guard}>{GUARDS[guard] ?? guard}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={forms.switch}
        aria-label={about}
        aria-checked={isOn}
        disabled={disabled}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
