import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { asSluiceError, causesOf } from '../kit/as-sluice-error.ts'
import { errorBody, SluiceError } from '../kit/errors.ts'
import { secretHash } from '../kit/key-secret.ts'
import type { Log } from '../kit/log.ts'
import { maskedError } from '../kit/masked-error.ts'
import { auditCall, isRefusal } from './audit-calls.ts'
import { presentedKey, RequestCaller } from './caller.ts'
import { createFileLinks } from './chat/file-links.ts'
import { createChatRuns } from './chat/runs.ts'
import { createPrepareTurn } from './chat/turn.ts'
import { compressAnswers } from './compress-answers.ts'
import { afterConnections } from './door/after-connections.ts'
import { type Clients, createClients } from './door/client.ts'
import { createRequestQueue } from './door/request-queue.ts'
import { createKeyGuesses } from './door/key-guesses.ts'
import { answerMalformed } from './door/malformed.ts'
import { OPENAI_PATH, openAIFailure } from './openai/failure.ts'
import type { Platform } from './platform.ts'
import { QueryLatencies } from './query-latencies.ts'
import { addRequestState } from './request-state.ts'
import { failureFacts } from '../kit/failure-facts.ts'
import { REQUEST_ID_HEADER, requestIdOf, trailOf } from './request-trail.ts'
import { watchRequests } from './request-watch.ts'
import { CONNECTION_TIMES, mount, openDoor, routeNotFound } from './request-way.ts'
import type { Route } from './route.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { chatMessageRoutes } from './routes/chat-messages.ts'
import { chatflowRoutes } from './routes/chatflows.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { customToolRoutes } from './routes/custom-tools.ts'
import { documentationRoutes, PAGE_POLICY } from './routes/documentation.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { documentStoreChunkRoutes } from './routes/document-store-chunks.ts'
import { documentStoreLoaderRoutes } from './routes/document-store-loaders.ts'
import { documentStoreRefreshRoutes } from './routes/document-store-refresh.ts'
import { documentStoreUpsertRoutes } from './routes/document-store-upsert.ts'
import { documentStoreVectorRoutes } from './routes/document-store-vectors.ts'
import { documentStoreRoutes } from './routes/document-stores.ts'
import { dryRunRoutes } from './routes/dry-run.ts'
import { compareRoutes } from './routes/compare.ts'
import { evalRoutes } from './routes/eval.ts'
import { executionRoutes } from './routes/executions.ts'
import { exportRoutes } from './routes/export-import.ts'
import { failedFileRoutes } from './routes/failed-files.ts'
import { feedbackRoutes } from './routes/feedback.ts'
import { flowDraftRoutes } from './routes/flow-drafts.ts'
import { flowProblemRoutes } from './routes/flow-problems.ts'
import { flowTextRoutes } from './routes/flow-text.ts'
import { flowRevisionRoutes } from './routes/flow-revisions.ts'
import { flowRequestRoutes } from './routes/flow-requests.ts'
import { flowSummaryRoutes } from './routes/flow-summaries.ts'
import { flowSettingRoutes } from './routes/flow-settings.ts'
import { healthRoutes } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { leadRoutes } from './routes/leads.ts'
import { metadataFieldRoutes } from './routes/metadata-fields.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { nodeRoutes } from './routes/nodes.ts'
import { openAIRoutes } from './routes/openai.ts'
import { predictionRoutes } from './routes/prediction.ts'
import { queryRoutes } from './routes/query.ts'
import { questionRoutes } from './routes/questions.ts'
import { refreshRoutes } from './routes/refresh.ts'
import { repairRoutes } from './routes/repair.ts'
import { reindexRoutes } from './routes/reindex.ts'
import { runRoutes } from './routes/runs.ts'
import { sessionRoutes } from './routes/session.ts'
import { sourceTraceRoutes } from './routes/source-trace.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statsRoutes } from './routes/stats.ts'
import { CHAT_PAGE_PATH } from './routes/chat-page.ts'
import { studioRoutes } from './routes/studio.ts'
import { upsertHistoryRoutes } from './routes/upsert-history.ts'
import { upsertRoutes } from './routes/upsert.ts'
import { variableRoutes } from './routes/variables.ts'
import { widgetRoutes } from './routes/widget.ts'
import { type SessionCookie, sessionCookie } from './session-cookie.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { failurePage, wantsPage } from './failure-page.ts'

/** zod checks requests. Without this Fastify would load its own schema compilers, which takes as long as all routes. */
const unused = () => () => {
  throw new Error('a route has a schema of Fastify')
}

/** The HTTP server with all routes, not yet listening. */
export function buildApp(platform: Platform): FastifyInstance {
  const { config, log } = platform
  const { keepAliveTimeout, ...headerTimes } = CONNECTION_TIMES
  const app = Fastify({
    logger: false,
    // An upload may take long. The door checks that bodies arrive fast enough.
    requestTimeout: 0,
    // The door answers a request without Host.
    keepAliveTimeout,
    http: { requireHostHeader: false, ...headerTimes },
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Paths that the router refuses: invalid escapes and parameters that are too long.
    frameworkErrors: (_error, _request, reply) => void fail(reply, new SluiceError('path_invalid'), log),
    clientErrorHandler: answerMalformed,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
  })
  const clients = createClients(config.HOST, config.TRUST_PROXY)
  const sessions = createSessions(platform, log)
  const cookie = sessionCookie(platform.secret)
  watchRequests(app, {
    requests: platform.metrics.requests,
    shed: platform.metrics.shed,
    tracer: platform.tracer,
    log,
    accessLog: config.ACCESS_LOG,
  })
  identifyRequests(app, platform, { clients, sessions, cookie })
  openDoor(app, config, { clients, onShed: (reason) => platform.metrics.shed.add(1, reason) })
  compressAnswers(app)
  const stopping = refuseWhileStopping(app, platform)
  app.setErrorHandler((error, request, reply) => {
    const failure = asSluiceError(fromFrameworkError(error), log, trailOf(request))
    request.failureCode = failure.code
    if (isRefusal(failure.status) && request.routeOptions.config.audited === false)
      void auditCall(platform.audit, request, failure.status)
    return fail(reply, maskedError(failure, platform.mask), log)
  })
  app.setNotFoundHandler((request, reply) => fail(reply, routeNotFound(request), log))
  const runs = createChatRuns(stopping, { shared: platform.sharedChatRuns })
  const prepareTurn = createPrepareTurn({ ...platform, runs })
  const links = createFileLinks(platform.secret)
  const queryLatencies = new QueryLatencies()
  // A run whose client has left may still be storing its answer.
  app.addHook('onClose', () => runs.idle())

  const routes: Route[] = [
    ...healthRoutes(platform),
    ...metricsRoutes(platform),
    ...upsertRoutes(platform),
    ...dryRunRoutes(platform),
    ...failedFileRoutes(platform),
    ...documentStoreRoutes(platform),
    ...documentStoreLoaderRoutes(platform),
    ...documentStoreChunkRoutes(platform),
    ...documentStoreUpsertRoutes(platform),
    ...documentStoreRefreshRoutes(platform),
    ...documentStoreVectorRoutes(platform),
    ...queryRoutes(platform, queryLatencies),
    ...statsRoutes(platform, queryLatencies),
    ...mcpRoutes(platform, prepareTurn),
    ...predictionRoutes(platform, prepareTurn),
    ...openAIRoutes(platform, prepareTurn),
    ...widgetRoutes(platform, links),
    ...chatMessageRoutes(platform, runs, links),
    ...conversationRoutes(platform),
    ...executionRoutes(platform),
    ...runRoutes(platform, prepareTurn, stopping),
    ...feedbackRoutes(platform),
    ...leadRoutes(platform),
    ...variableRoutes(platform),
    ...customToolRoutes(platform),
    ...reindexRoutes(platform),
    ...repairRoutes(platform),
    ...refreshRoutes(platform),
    ...questionRoutes(platform),
    ...evalRoutes(platform),
    ...compareRoutes(platform),
    ...sourceRoutes(platform),
    ...sourceTraceRoutes(platform),
    ...metadataFieldRoutes(platform),
    ...jobRoutes(platform, stopping),
    ...upsertHistoryRoutes(platform),
    ...chatflowRoutes(platform),
    ...exportRoutes(platform),
    ...flowSummaryRoutes(platform),
    ...flowProblemRoutes(platform),
    ...flowTextRoutes(platform),
    ...flowRevisionRoutes(platform),
    ...flowDraftRoutes(platform),
    ...flowSettingRoutes(platform),
    ...flowRequestRoutes(platform),
    ...apiKeyRoutes(platform),
    ...auditRoutes(platform),
    ...nodeRoutes(platform),
    ...credentialRoutes(platform),
    ...sessionRoutes(sessions, cookie),
    ...studioRoutes(),
    ...documentationRoutes(async () => {
      // Few servers are asked for it: a start does not read the texts of all fields and examples.
      const { describeRoutes } = await import('./docs/openapi.ts')
      return describeRoutes(routes, platform.version)
    }),
  ]
  const { metrics } = platform
  const requestQueue = createRequestQueue({
    most: config.MAX_REQUESTS,
    mostInWork: config.MAX_REQUESTS_IN_WORK,
    onShed: (reason) => metrics.shed.add(1, reason),
    later: afterConnections(app.server),
  })
  metrics.read(
    { name: 'sluice_requests', help: 'Requests that wait for their turn or are in work', type: 'gauge' },
    () => {
      const { waiting, inWork } = requestQueue.load()
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'in_work' }, value: inWork },
      ]
    },
  )
  mount(app, platform, { routes, queue: requestQueue })
  return app
}

/** The paths on which studio sessions count. */
const API_PATH = '/api/'
const HTML = 'text/html; charset=utf-8'

/** Sets the fields of every request and the headers of every answer. */
function identifyRequests(
  app: FastifyInstance,
  { config, keys }: Platform,
  { clients, sessions, cookie }: { clients: Clients; sessions: Sessions; cookie: SessionCookie },
): void {
  const check = {
    adminKeyHash: config.ADMIN_KEY === undefined ? undefined : secretHash(config.ADMIN_KEY),
    metricsKeyHash: config.METRICS_KEY === undefined ? undefined : secretHash(config.METRICS_KEY),
    keys,
    guesses: createKeyGuesses(config.WRONG_KEYS_PER_MINUTE),
  }

  async function resumeSession(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    const found = await sessions.find(token)
    request.caller.session = found?.session
    // The old token goes on until a call of the API has brought the new one.
    if (found?.token !== undefined && request.url.startsWith(API_PATH))
      cookie.set(request, reply, found.token)
  }

  addRequestState(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.client = clients.of(request.raw)
    request.caller = new RequestCaller(check, presentedKey(request.headers), request.client.address)
    // Set here, because a stream sends the headers that are set when it begins.
    reply.header(REQUEST_ID_HEADER, request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Other pages and assets need no session. A cache may keep their answers, so these must never carry a new token.
    const takesSession = [API_PATH, CHAT_PAGE_PATH].some((path) => request.url.startsWith(path))
    const token = takesSession ? cookie.tokenOf(request) : undefined
    if (token === undefined) done()
    else resumeSession(request, reply, token).then(() => done(), done)
  })
}

/**
 * Refuses requests on open connections while the server stops; before, while it drains, ends each connection with its answer.
 * Returns a signal that aborts when it stops, for answers that would not end by themselves.
 */
function refuseWhileStopping(
  app: FastifyInstance,
  { isDraining }: Pick<Platform, 'isDraining'>,
): AbortSignal {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  // A proxy must not send its next request on a connection that is closed at that moment.
  const endConnection = (reply: FastifyReply) => {
    if (isDraining() || stopping.signal.aborted) reply.header('connection', 'close')
  }
  app.addHook('onRequest', (_request, reply, done) => {
    endConnection(reply)
    done(stopping.signal.aborted ? new SluiceError('stopping') : undefined)
  })
  // Also after a request that came before. A client that is still sending would not receive a refusal.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (request.raw.complete || (length ?? coding) === undefined) endConnection(reply)
    done()
  })
  return stopping.signal
}

function fail(
  reply: Parameters<Parameters<FastifyInstance['setErrorHandler']>[0]>[2],
  error: SluiceError,
  log: Log,
) {
  // Also here: the hooks do not run for a path that the router refuses.
  reply.header(REQUEST_ID_HEADER, reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  const facts = { ...trailOf(reply.request), ...failureFacts(error), status: error.status }
  // Requests beyond a limit are counted in a metric: a line for each would fill the log.
  if (error.status >= 500 && error.code !== 'server_busy')
    log.error('request-failed', { ...facts, causes: causesOf(error) })
  else log.debug('request-refused', facts)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  // Fastify would close the connection at once: a client that is still sending would not receive the answer.
  if (error.code !== 'request_timeout') reply.removeHeader('connection')
  else reply.header('connection', 'close')
  if (error.facts.retryAfter !== undefined) reply.header('retry-after', error.facts.retryAfter)
  if (error.status === 404 && wantsPage(reply.request))
    return reply.code(404).header('content-security-policy', PAGE_POLICY).type(HTML).send(failurePage(error))
  const body = reply.request.url.startsWith(OPENAI_PATH) ? openAIFailure(error) : errorBody(error)
  return reply.code(error.status).type('application/json; charset=utf-8').send(body)
}

/** The errors that Fastify itself throws, as errors of Sluice. */
function fromFrameworkError(error: unknown): unknown {
  if (error instanceof SluiceError || !(error instanceof Error && 'statusCode' in error)) return error
  if ((error as FastifyError).statusCode !== 415)
    return new SluiceError('body_invalid', { reason: 'it cannot be read' })
  return new SluiceError('content_type_not_accepted', {
    type: 'of the request',
    accepted: 'application/json or multipart/form-data',
  })
}
