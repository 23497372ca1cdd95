import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { Note } from './note.tsx'
import { connection } from '../server/connection.ts'

/** Says that the server does not answer, and what that means here; nothing while it answers. */
export function ServerAway({ children }: { children: ReactNode }) {
  const connected = useStore(connection, ({ isConnected }) => isConnected)
  return connected ? null : (
    <div role="status">
      <Note kind="warning">The server does not answer. {children}</Note>
    </div>
  )
}
