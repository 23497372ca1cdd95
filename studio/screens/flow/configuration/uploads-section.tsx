import { Link } from '@tanstack/react-router'
import { useStore } from 'zustand'
import forms from '../../../forms/forms.module.css'
import { SwitchInput } from '../../../forms/switch-input.tsx'
import type { FlowRequests } from '../../../server/flow-requests.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './configuration.module.css'
import { areOverridesOpen, isEnabled, setEnabled, type SwitchedNode } from './override-switches.ts'

/** Which loaders take files of requests. */
export function UploadsSection({ requests }: { requests: FlowRequests }) {
  const { flow, configuration } = useOpenFlow()
  const apiConfig = useStore(configuration, ({ now }) => now.apiConfig)
  const nodes: SwitchedNode[] = requests.nodes
  const loaders = nodes.flatMap((node) => {
    const files = node.inputs.find(({ name, type }) => name === 'files' && type === 'file')
    return files ? [{ node, files }] : []
  })
  const open = areOverridesOpen(apiConfig)
  if (loaders.length === 0)
    return (
      <p className={styles.about}>
        No node of this flow takes files.{' '}
        <Link to="/flows/$id" params={{ id: flow.slug }}>
          Add a loader on the canvas
        </Link>
      </p>
    )
  return (
    <div className={forms.form}>
      {loaders.map(({ node, files }) => (
        <SwitchInput
          key={node.id}
          id={`uploads-${node.id}`}
          input={{ name: 'files', label: `Files for ${node.label}`, type: 'boolean', optional: true }}
          value={open && isEnabled(apiConfig, node, files)}
          onChange={(value) =>
            configuration
              .getState()
              .change({ apiConfig: setEnabled(apiConfig, nodes, node, files, value === true) })
          }
        />
      ))}
    </div>
  )
}
