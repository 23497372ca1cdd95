import { Link } from '@tanstack/react-router'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { Loading, type LoadStateProps } from '../../parts/load-state.tsx'
import { EmptyList } from '../../parts/list-screen.tsx'
import { messageOf, ServerFailure } from '../../server/call.ts'

/** Why stores are not shown. To try again helps neither against a missing right nor for a store that is gone. */
function StoreFailure({ error, onAgain }: { error: unknown; onAgain(): unknown }) {
  const status = error instanceof ServerFailure ? error.status : 0
  if (status === 403)
    return (
      <EmptyList title="You may not see this">
        <p>{messageOf(error)}. Ask a manager of this server for the right to it.</p>
      </EmptyList>
    )
  if (status === 404)
    return (
      <EmptyList title="There is no such document store">
        <p>It may have been deleted: as a flow it can be restored for thirty days.</p>
        <Link to="/document-stores">All document stores</Link>
      </EmptyList>
    )
  return <LoadFailure error={error} onAgain={onAgain} />
}

/** That stores are being loaded, or why they are not shown. */
export const StoreState = ({ of: { error, isPending, refetch } }: Pick<LoadStateProps, 'of'>) => (
  <>
    <StoreFailure error={error} onAgain={refetch} />
    {isPending ? <Loading /> : null}
  </>
)
