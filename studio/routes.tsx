import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { PaletteKey } from './actions/palette-key.tsx'
import { HeadingFocus } from './parts/heading-focus.tsx'
import { ScreenTitle } from './parts/screen-title.tsx'
import { readOneDocumentSearch } from './screens/flow/documents/document-search.ts'
import { readDocumentSearch } from './screens/flow/documents/find-documents.ts'
import { readHistorySearch } from './screens/flow/history/history-text.ts'
import { readCompareSearch } from './screens/flow/compare/compare-text.ts'
import { readRevisionSearch } from './screens/flow/revisions/change-names.ts'
import { readFlowSearch } from './screens/flows/find-flows.ts'
import { readCanvasSearch } from './screens/flow/node-in-address.ts'
import { readTextSearch } from './parts/text-search.ts'
import { readShowApiSearch } from './screens/flow/show-api/show-api-search.ts'
import { readExecutionSearch } from './screens/executions/execution-search.ts'
import { readAskAddress } from './screens/flow/ask/ask-address.ts'
import { FlowList } from './screens/flows/flow-list.tsx'
import { readJobSearch } from './parts/job-search.ts'
import { readChunkSearch } from './screens/stores/chunk-search.ts'
import { loadPart } from './server/load-part.ts'

/* The screens by address; the server answers the same addresses with the page (src/server/routes/studio.ts). */

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <PaletteKey />
      <ScreenTitle />
      <HeadingFocus />
    </>
  ),
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
  staticData: { title: 'Flows' },
  component: FlowList,
  validateSearch: readFlowSearch,
})

/** An open flow; its tabs are the routes below it (studio/screens/flow/flow-tabs.tsx). */
const flow = createRoute({
  getParentRoute: () => root,
  path: '/flows/$id',
  component: lazyRouteComponent(() => loadPart(() => import('./screens/flow/flow-screen.tsx')), 'FlowScreen'),
})

const canvas = createRoute({
  getParentRoute: () => flow,
  path: '/',
  staticData: { title: 'Canvas' },
  validateSearch: readCanvasSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./screens/flow/canvas-tab.tsx')), 'CanvasTab'),
})

const revisions = createRoute({
  getParentRoute: () => flow,
  path: '/revisions',
  staticData: { title: 'Revisions' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/revisions/revisions-tab.tsx')),
    'Revisions',
  ),
  validateSearch: readRevisionSearch,
})

const compare = createRoute({
  getParentRoute: () => flow,
  path: '/compare',
  staticData: { title: 'Compare' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/compare/compare-tab.tsx')),
    'CompareTab',
  ),
  validateSearch: readCompareSearch,
})

const documents = createRoute({
  getParentRoute: () => flow,
  path: '/documents',
  staticData: { title: 'Documents' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/documents/documents-tab.tsx')),
    'DocumentsTab',
  ),
  validateSearch: readDocumentSearch,
})

const oneDocument = createRoute({
  getParentRoute: () => flow,
  path: '/documents/$source',
  staticData: { title: 'Document' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/documents/document-screen.tsx')),
    'DocumentScreen',
  ),
  validateSearch: readOneDocumentSearch,
})

const showApi = createRoute({
  getParentRoute: () => flow,
  path: '/api',
  staticData: { title: 'API' },
  validateSearch: readShowApiSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/show-api/show-api.tsx')),
    'ShowApi',
  ),
})

const configuration = createRoute({
  getParentRoute: () => flow,
  path: '/configuration',
  staticData: { title: 'Configuration' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/configuration/configuration.tsx')),
    'ConfigurationTab',
  ),
})

const documentStores = createRoute({
  getParentRoute: () => root,
  path: '/document-stores',
  staticData: { title: 'Document stores' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./screens/stores/store-list.tsx')), 'StoreList'),
})

const documentStore = createRoute({
  getParentRoute: () => root,
  path: '/document-stores/$store',
  staticData: { title: 'Document store' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/stores/store-screen.tsx')),
    'StoreScreen',
  ),
})

const storeChunks = createRoute({
  getParentRoute: () => root,
  path: '/document-stores/$store/chunks/$loader',
  staticData: { title: 'Chunks' },
  validateSearch: readChunkSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/stores/chunks-screen.tsx')),
    'ChunksScreen',
  ),
})

const credentials = createRoute({
  getParentRoute: () => root,
  path: '/credentials',
  staticData: { title: 'Credentials' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/credentials/credential-list.tsx')),
    'CredentialList',
  ),
})

const variables = createRoute({
  getParentRoute: () => root,
  path: '/variables',
  staticData: { title: 'Variables' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/variables/variable-list.tsx')),
    'VariableList',
  ),
})

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  staticData: { title: 'Tools' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./screens/tools/tool-list.tsx')), 'ToolList'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  staticData: { title: 'Keys' },
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => loadPart(() => import('./screens/keys/key-list.tsx')), 'KeyList'),
})

const guide = createRoute({
  getParentRoute: () => root,
  path: '/guide',
  staticData: { title: 'Guide' },
  component: lazyRouteComponent(() => loadPart(() => import('./screens/guide/guide.tsx')), 'Guide'),
})

const history = createRoute({
  getParentRoute: () => flow,
  path: '/history',
  staticData: { title: 'History' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/history/history-tab.tsx')),
    'HistoryTab',
  ),
  validateSearch: readHistorySearch,
})

const questions = createRoute({
  getParentRoute: () => flow,
  path: '/questions',
  staticData: { title: 'Questions' },
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/flow/questions/questions-tab.tsx')),
    'QuestionsTab',
  ),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  staticData: { title: 'Jobs' },
  component: lazyRouteComponent(() => loadPart(() => import('./screens/jobs/jobs-screen.tsx')), 'JobsScreen'),
  validateSearch: readJobSearch,
})

const ask = createRoute({
  getParentRoute: () => flow,
  path: 'ask',
  staticData: { title: 'Ask' },
  validateSearch: readAskAddress,
  component: lazyRouteComponent(() => loadPart(() => import('./screens/flow/ask/ask-tab.tsx')), 'AskTab'),
})

const executions = createRoute({
  getParentRoute: () => root,
  path: '/executions',
  staticData: { title: 'Executions' },
  validateSearch: readExecutionSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/executions/execution-list.tsx')),
    'ExecutionList',
  ),
})

/** Makes the router of the application. */
export const makeRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      first,
      flows,
      flow.addChildren([
        canvas,
        ask,
        questions,
        documents,
        oneDocument,
        showApi,
        configuration,
        revisions,
        history,
        compare,
      ]),
      documentStores,
      documentStore,
      storeChunks,
      jobs,
      executions,
      credentials,
      variables,
      tools,
      keys,
      guide,
    ]),
    defaultPreload: 'intent',
  })

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The name of the screen, for the title of the tab. */
    title?: string
  }
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
