import './style/base.css'
import './style/libraries.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showTheme, storedTheme } from './parts/theme.ts'
import { ToastCorner } from './parts/toast.tsx'
import { makeRouter } from './routes.tsx'
import { SessionGate } from './screens/sign-in/session-gate.tsx'
import { ServerFailure } from './server/call.ts'

/** No answer, or one of a server that is stopping. */
const isAway = ({ status, code }: ServerFailure): boolean => status === 0 || code === 'stopping'

showTheme(storedTheme())

const queries = new QueryClient({
  queryCache: new QueryCache(),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A refusal stays a refusal; a server that does not answer may be starting again.
      retry: (count, error) => error instanceof ServerFailure && isAway(error) && count < 30,
      retryDelay: 2000,
    },
  },
})

createRoot(document.getElementById('studio')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <SessionGate>
          <RouterProvider router={makeRouter()} />
        </SessionGate>
        <ToastCorner />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
