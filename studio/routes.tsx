import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { readRevisionSearch } from './screens/flow/revisions/change-names.ts'
import { readFlowSearch } from './screens/flows/find-flows.ts'
import { FlowList } from './screens/flows/flow-list.tsx'

/* The screens by address; the server answers the same addresses with the page (src/server/routes/studio.ts). */

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="nothing">
      <h1>There is nothing at this address</h1>
      <p>
        <Link to="/flows">All flows</Link>
      </p>
    </main>
  ),
})

const first = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/flows', replace: true })
  },
})

const flows = createRoute({
  getParentRoute: () => root,
  path: '/flows',
  component: FlowList,
  validateSearch: readFlowSearch,
})

/** An open flow; its tabs are the routes below it (studio/screens/flow/flow-tabs.tsx). */
const flow = createRoute({
  getParentRoute: () => root,
  path: '/flows/$id',
  component: lazyRouteComponent(() => import('./screens/flow/flow-screen.tsx'), 'FlowScreen'),
})

const canvas = createRoute({
  getParentRoute: () => flow,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/flow/canvas-tab.tsx'), 'CanvasTab'),
})

const revisions = createRoute({
  getParentRoute: () => flow,
  path: '/revisions',
  component: lazyRouteComponent(() => import('./screens/flow/revisions/revisions.tsx'), 'Revisions'),
  validateSearch: readRevisionSearch,
})

/** Makes the router of the application. */
export const makeRouter = () =>
  createRouter({
    routeTree: root.addChildren([first, flows, flow.addChildren([canvas, revisions])]),
    defaultPreload: 'intent',
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
