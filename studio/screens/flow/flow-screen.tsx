import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AccountMenu } from '../../parts/account-menu.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { Loading } from '../../parts/load-state.tsx'
import { Logo, TopBar } from '../../parts/top-bar.tsx'
import { getDraft } from '../../server/drafts.ts'
import { getFlow } from '../../server/flows.ts'
import { listNodeKinds } from '../../server/nodes.ts'
import { FlowEditor } from './flow-editor.tsx'
import styles from './flow-screen.module.css'

/** The screen of one flow. It is loaded anew whenever it is opened. */
export function FlowScreen() {
  const { id } = useParams({ from: '/flows/$id' })
  const flow = useQuery({
    queryKey: ['flow', id],
    // The draft is read after the flow: it is of this revision or an earlier one, never of one that is not known here.
    queryFn: async () => {
      const found = await getFlow(id)
      return { found, draft: await getDraft(found.id) }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const nodes = useQuery({
    queryKey: ['nodes'],
    queryFn: listNodeKinds,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const kinds = useMemo(
    () => nodes.data && new Map(nodes.data.map((kind) => [kind.name, kind])),
    [nodes.data],
  )
  const error = flow.error ?? nodes.error
  if (flow.data && kinds) {
    const { found, draft } = flow.data
    return <FlowEditor key={found.id} flow={found} draft={draft} kinds={kinds} />
  }
  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <Link to="/flows" aria-label="All flows">
          <Logo />
        </Link>
      </TopBar>
      <main className={styles.waiting}>
        {error ? (
          <>
            <LoadFailure error={error} onAgain={() => Promise.all([flow.refetch(), nodes.refetch()])} />
            <Link to="/flows">All flows</Link>
          </>
        ) : (
          <Loading />
        )}
      </main>
    </div>
  )
}
