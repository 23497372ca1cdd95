import { createContext, useContext } from 'react'
import type { Flow } from '../../server/flows.ts'
import type { ConfigurationDraftStore } from './configuration/configuration-draft.ts'
import type { SaveFlow } from './save-flow.ts'

/** The flow that is open, for its tabs. The drawing is in the editor (editor.ts). */
export type OpenFlow = {
  /** As it was when it was opened; `saving` has its present name and revision. */
  flow: Flow
  saving: SaveFlow
  /** The settings beside the drawing, with changes that are not saved. */
  configuration: ConfigurationDraftStore
}

export const OpenFlowContext = createContext<OpenFlow | undefined>(undefined)

/** The open flow. @throws Error outside of a flow screen */
export function useOpenFlow(): OpenFlow {
  const open = useContext(OpenFlowContext)
  if (!open) throw new Error('there is no open flow here')
  return open
}
